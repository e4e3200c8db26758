"""The Stop hook of Claude Code, called as Claude Code calls it.

    python examples/claude_code_hook.py https://hub.example   # key: VERIFYHUB_API_KEY

In earnest it stands in `.claude/settings.json`:

    {"hooks": {"Stop": [{"hooks": [
      {"type": "command", "command": "verifyhub-stop-hook", "timeout": 60}]}]}}

Here a short transcript is written instead: the agent lists a folder, and then names a
file that is not in it.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from uuid import uuid4

HOOK = [sys.executable, "-m", "verifyhub_client.adapters.claude_code"]
NAMES = "\n".join(sorted(path.name for path in Path(__file__).parent.glob("*.py")))
CALL = {"type": "tool_use", "id": "call_1", "name": "Bash", "input": {"command": "ls"}}
RESULT = {"type": "tool_result", "tool_use_id": "call_1", "content": NAMES}


def line(role: str, content: object, number: int) -> str:
    message = {"role": role, "content": content}
    return json.dumps({"type": role, "uuid": f"line-{number}", "message": message})


def main() -> int:
    said = sys.argv[2:] or ["See `quickstart.py`, `basics.py` and `tutorial.py`."]
    lines = [
        line("user", "Which examples are there?", 1),
        line("assistant", [CALL], 2),
        line("user", [RESULT], 3),
        line("assistant", [{"type": "text", "text": said[0]}], 4),
    ]
    with tempfile.TemporaryDirectory() as folder:
        transcript = Path(folder) / "session.jsonl"
        transcript.write_text("\n".join(lines) + "\n", encoding="utf-8")
        event = {
            "session_id": f"example-{uuid4()}",
            "transcript_path": str(transcript),
            "hook_event_name": "Stop",
            "stop_hook_active": False,
        }
        done = subprocess.run(
            HOOK,
            input=json.dumps(event),
            env={**os.environ, "VERIFYHUB_URL": sys.argv[1]},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    decision = json.loads(done.stdout or "{}")
    print(decision.get("reason", "the answer passes"))
    return 1 if decision else 0


if __name__ == "__main__":
    sys.exit(main())
