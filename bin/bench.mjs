#!/usr/bin/env node
import { execScript } from './pinned-node.mjs'

execScript('bench/run.ts', process.argv.slice(2))
