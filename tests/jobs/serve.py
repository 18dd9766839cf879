"""Runs jobs one after the other in one process, so that they share one start of MindSpore.

Each line of standard input is a job in JSON, `{"job": "module:function", "project": folder,
"arguments": {…}}`; each is answered by a line, `{"result": …}` or `{"error": traceback}`.
What a job prints goes to standard error. The function gets a `Project`, then the arguments.
"""

import json
import os
import sys
import traceback
from importlib import import_module

from project import Project


def main() -> None:
    """Answer jobs until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        job = json.loads(line)
        module, _, function = job["job"].partition(":")
        try:
            with Project(job["project"]) as project:
                run = getattr(import_module(module), function)
                answer = {"result": run(project, **job["arguments"])}
        except BaseException:
            answer = {"error": traceback.format_exc()}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
