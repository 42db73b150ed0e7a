#!/usr/bin/env node
import { become } from './pinned-node.mjs'
import { buildWebClientIfStale } from './web-client.mjs'

buildWebClientIfStale()
become('server/src/main.ts', process.argv.slice(2))
