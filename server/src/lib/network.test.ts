import { describe, expect, it } from 'vitest'
import { getNetwork, isMetadataAddress, parseAddress } from './network.ts'

describe('getNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0DB8::2', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('maps %s to %s', (ip, network) => {
    expect(getNetwork(ip)).toBe(network)
  })
})

describe('parseAddress', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:51234', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ])('reads %s', (text, address) => {
    expect(parseAddress(text)).toBe(address)
  })

  it.each([undefined, '', 'unknown', '<script>', '999.1.1.1', '192.0.2.7:', '192.0.2.7:1:2', '[192.0.2'])(
    'rejects %s',
    (text) => {
      expect(parseAddress(text)).toBeNull()
    },
  )
})

describe('isMetadataAddress', () => {
  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    '100.100.100.200',
  ])('refuses %s', (ip) => expect(isMetadataAddress(ip)).toBe(true))

  it.each(['127.0.0.1', '::1', '10.0.0.7', '192.168.1.7', 'fd00::1', '203.0.113.7', '169.253.1.1'])(
    'allows %s',
    (ip) => expect(isMetadataAddress(ip)).toBe(false),
  )
})
