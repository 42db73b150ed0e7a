import { become } from '../bin/pinned-node.mjs'

become('tools/checks/main.ts', process.argv.slice(2))
