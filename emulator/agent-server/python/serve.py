"""One agent server process: imports the graphs of one revision, then serves them until asked to stop.

    python -P serve.py '<launch as JSON>'

File descriptor 3 is the link to the control plane, see _agentserver/link.py. What this process does is the public
runtime's; it is installed into the environment of the agent and nothing of it is part of this package.
"""

import json
import os
import sys

# Last, and without files beside ours: the modules of the project come first.
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
writes_bytecode = not sys.dont_write_bytecode
sys.dont_write_bytecode = True
from _agentserver import server  # noqa: E402

sys.dont_write_bytecode = not writes_bytecode

server.main(json.loads(sys.argv[1]))
