"""What an event looks like on its way out; knows no database."""
