"""One agent server process: imports the graphs of one revision, and serves them until it is asked to stop.

    python -P serve.py '<launch as JSON>'

File descriptor 3 is the link to the control plane. See _agentserver/link.py. This process runs the public runtime, which
is installed into the agent's environment and is not part of this package.
"""

import json
import os
import sys

# Last, because the modules of the project take precedence. No compiled files are written next to these modules.
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
writes_bytecode = not sys.dont_write_bytecode
sys.dont_write_bytecode = True
from _agentserver import server  # noqa: E402

sys.dont_write_bytecode = not writes_bytecode

server.main(json.loads(sys.argv[1]))
