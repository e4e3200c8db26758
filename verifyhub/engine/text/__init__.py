"""Words, paths and look-alikes: text rules that know no domain."""
