import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { takesPictures } from './model-plan.ts'
import { estimatePictureTokens, readBase64 } from './pictures.ts'

describe('readBase64', () => {
  it.each([0, 1, 2, 3, 196_607, 196_608, 196_610, 1_000_001])('encodes %i bytes', async (length) => {
    const bytes = randomBytes(length)
    const chunks = [bytes.subarray(0, 65_535), bytes.subarray(65_535, 300_000), bytes.subarray(300_000)]
    expect(await (await readBase64(Readable.from(chunks))).text()).toBe(bytes.toString('base64'))
  })
})

describe('estimatePictureTokens', () => {
  it.each([
    [64, 64, 255],
    [512, 512, 255],
    [800, 600, 765],
    [1024, 1024, 765],
    [2048, 4096, 1105],
    [8000, 10, 765],
  ])('estimates a picture of %i × %i', (width, height, tokens) => {
    expect(estimatePictureTokens(width, height)).toBe(tokens)
  })
})

describe('takesPictures', () => {
  it.each([
    'gpt-4o',
    'gpt-4o-mini-2024-07-18',
    'openai/gpt-4.1',
    'gpt-6-luna',
    'gpt-5.6-sol',
    'o1',
    'o1-pro',
    'o3',
    'o4-mini',
    'claude-3-5-sonnet',
    'claude-opus-4',
    'google/gemini-2.5-flash',
    'gemma3:4b',
    'llama3.2-vision:11b',
    'meta-llama/Llama-4-Scout-17B-16E-Instruct',
    'llava:7b',
    'qwen2.5vl:7b',
    'Qwen/Qwen2.5-VL-7B-Instruct',
    'qwen3-vl',
    'pixtral-12b',
    'minicpm-v',
    'phi-4-multimodal',
  ])('is true for %s', (model) => {
    expect(takesPictures(model, undefined)).toBe(true)
  })

  it.each([
    'gpt-3.5-turbo',
    'gpt-4',
    'gpt-4o-mini-search-preview',
    'gpt-4o-audio-preview',
    'o1-mini',
    'o1-preview',
    'o3-mini',
    'llama3.3',
    'gemma3:1b',
    'qwen3',
    'qwen2.5-coder',
    'mistral-small',
    'my-model',
  ])('is false for %s', (model) => {
    expect(takesPictures(model, undefined)).toBe(false)
  })

  it('follows the patterns of an administrator alone', () => {
    expect(takesPictures('My.Model:7b', ['my.model:*'])).toBe(true)
    expect(takesPictures('myXmodel:7b', ['my.model:*'])).toBe(false)
    expect(takesPictures('gpt-4o', ['my-model'])).toBe(false)
    expect(takesPictures('gpt-4o', [])).toBe(false)
  })
})
