#!/usr/bin/env node
import { execScript } from './pinned-node.mjs'

execScript('server/src/cli.ts', process.argv.slice(2))
