import { describe, expect, it } from 'vitest'
import { ApiError } from '#api/api-error.ts'
import { describeUploadError } from './use-wallpaper.ts'

describe('describeUploadError', () => {
  it.each([
    [
      'Document validation failed',
      new ApiError(400, 'x', 'Document validation failed: wallpaper'),
      'Document upload failed: Missing required fields',
    ],
    [
      'Network Error',
      new ApiError(0, 'network'),
      'Network error. Please check your connection and try again.',
    ],
    [
      'Network Error',
      new Error('Network Error'),
      'Network error. Please check your connection and try again.',
    ],
    ['500', new ApiError(500, 'internal'), 'Server error. Please try again later.'],
    ['500', new Error('Request failed with status code 500'), 'Server error. Please try again later.'],
    [
      '401',
      new ApiError(401, 'auth.session_ended', 'Your session has ended.'),
      'Authentication error. Please log in again.',
    ],
    [
      '403',
      new ApiError(403, 'permission.denied', 'Not you'),
      'You do not have permission to upload to this channel.',
    ],
    [
      '413',
      new ApiError(413, 'image.too_large', 'Too large'),
      'File is too large. Please upload a smaller file.',
    ],
    ['the server’s message', new ApiError(400, 'image.type', 'Only JPEG …'), 'Only JPEG …'],
    ['no message', new ApiError(502, 'unknown'), 'Failed to upload wallpaper. Please try again.'],
    ['no error', undefined, 'Failed to upload wallpaper. Please try again.'],
    [
      'a longer number that contains a status code',
      new ApiError(400, 'x', 'At most 5000 of 14031'),
      'At most 5000 of 14031',
    ],
  ])('explains %s', (_, error, expected) => {
    expect(describeUploadError(error)).toBe(expected)
  })

  it('uses the first matching entry', () => {
    expect(describeUploadError(new ApiError(500, 'x', 'Document validation failed'))).toBe(
      'Document upload failed: Missing required fields',
    )
  })
})
