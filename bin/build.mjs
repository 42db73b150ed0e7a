#!/usr/bin/env node
import { buildWebClient } from './web-client.mjs'

buildWebClient()
