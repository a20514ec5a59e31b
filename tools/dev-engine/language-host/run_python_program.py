"""Runs a Pulumi program in Python for the language host of an engine that was built from source.

Usage: run_python_program.py <settings of the engine as JSON> <program> [arguments]
"""

import asyncio
import json
import logging
import os
import runpy
import signal
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor

# Exit code after an error has been reported to the user.
ALREADY_REPORTED = 32

try:
    import pulumi
    import pulumi.runtime
except ImportError:
    print(
        f"The package pulumi is not installed for {sys.executable}. "
        "Install the requirements of the program, and name its virtual environment in Pulumi.yaml.",
        file=sys.stderr,
    )
    sys.exit(1)

settings = json.loads(sys.argv[1])
program, *arguments = sys.argv[2:]
main_file = program if program.endswith(".py") else os.path.join(program, "__main__.py")

pulumi.runtime.set_all_config(
    pulumi.runtime.get_config_env(), pulumi.runtime.get_config_secret_keys_env()
)
pulumi.runtime.configure(pulumi.runtime.Settings(**settings))
sys.argv = [program, *arguments]


def traceback_of_program(error: BaseException) -> str:
    """Returns the traceback from the first frame of the program."""
    current = error.__traceback__
    while current and current.tb_frame.f_code.co_filename != main_file:
        current = current.tb_next
    lines = traceback.format_exception(type(error), error, current or error.__traceback__)
    return "".join(lines)


async def main() -> None:
    workers = max(settings["parallel"], 1) * 4
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(workers))
    await pulumi.runtime.run_in_stack(lambda: runpy.run_path(program, run_name="__main__"))


# If the engine cancels the program, it ends without a traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL)
# If the program fails, asyncio would report all pending outputs.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)
try:
    asyncio.run(main())
except pulumi.RunError as error:
    pulumi.log.error(str(error))
    sys.exit(1)
except Exception as error:  # Any error of the program.
    pulumi.log.error(
        f"Program failed with an unhandled exception:\n{traceback_of_program(error)}"
    )
    sys.exit(ALREADY_REPORTED)
