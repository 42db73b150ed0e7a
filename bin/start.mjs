#!/usr/bin/env node
import { execScript } from './pinned-node.mjs'
import { buildWebClientIfStale } from './web-client.mjs'

buildWebClientIfStale()
// With a smaller young generation, the short-lived objects of many replies at once grow old: 250 replies took a sixth more
// processor time and 50 MB more. server/src/lib/start-memory.ts gives back what an idle server does not need.
execScript('server/src/main.ts', process.argv.slice(2), ['--max-semi-space-size=16'])
