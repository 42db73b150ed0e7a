#!/usr/bin/env node
import { execScript } from './pinned-node.mjs'
import { buildWebClient } from './web-client.mjs'

buildWebClient()
execScript('tools/supply-chain/main.ts', [])
