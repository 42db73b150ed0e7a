import { become } from '../bin/pinned-node.mjs'

become('tools/suites/main.ts', process.argv.slice(2))
