#!/usr/bin/env node
import { become } from './pinned-node.mjs'

become('server/src/cli.ts', process.argv.slice(2))
