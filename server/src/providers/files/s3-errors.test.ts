import { describe, expect, it } from 'vitest'
import { StorageUnusable } from './port.ts'
import { toBucketError } from './s3-errors.ts'

const location = { bucket: 'lyceum', prefix: undefined, region: 'us-east-1', spoolFolder: '/tmp' }

describe('a host that cannot be found', () => {
  it.each([
    [
      'lyceum.s3.example.org',
      'https://s3.example.org',
      false,
      'S3_ENDPOINT, or set S3_FORCE_PATH_STYLE=true',
    ],
    ['s3.example.org', 'https://s3.example.org', true, 'S3_ENDPOINT'],
    ['lyceum.s3.nowhere-1.amazonaws.com', undefined, false, 'AWS_REGION'],
  ])('is named with the setting to check: %s', (hostname, endpoint, forcePathStyle, setting) => {
    const cause = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', hostname })
    const error = toBucketError(cause, { ...location, endpoint, forcePathStyle })
    expect(error).toBeInstanceOf(StorageUnusable)
    expect(error.message).toBe(`The host ${hostname} cannot be found. Check ${setting}.`)
  })
})
