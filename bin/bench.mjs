#!/usr/bin/env node
import { become } from './pinned-node.mjs'

become('bench/run.ts', process.argv.slice(2))
