import { execScript } from '../bin/pinned-node.mjs'

execScript('tools/checks/main.ts', process.argv.slice(2))
