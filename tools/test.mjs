import { execScript } from '../bin/pinned-node.mjs'

execScript('tools/suites/main.ts', process.argv.slice(2))
