"""Evaluate the best checkpoint of a run on the samples that were held out."""

import sys

from my_project.config import InputError, parse_args

if __name__ == "__main__":
    try:
        config, options = parse_args("--run", "folder of the run", default="latest")
        from my_project.loop import evaluate_run

        scores = evaluate_run(config, options.eager, options.run)
        print("  ".join(f"{name} {value:.4g}" for name, value in scores.items()))
    except InputError as error:
        print(f"evaluate.py: {error}", file=sys.stderr)
        sys.exit(2)
