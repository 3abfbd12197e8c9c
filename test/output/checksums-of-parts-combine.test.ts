import { crc32 } from 'node:zlib'
import t from 'tap'
import { combineCrc } from '../../src/main/output/zip/write-archive.ts'
import { fc } from '../support/generate.ts'

const bytes = fc.uint8Array({ maxLength: 400 })

t.test('the checksum of two parts is that of the whole', async (t) => {
  const property = fc.property(bytes, bytes, (first, second) => {
    const whole = crc32(Buffer.concat([first, second]))
    return combineCrc(crc32(first), crc32(second), second.length) === whole
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('lengths beyond 32 bits count', async (t) => {
  // n zero bytes are a power of the byte's matrix: so twice n bytes are n bytes, twice.
  const n = 2 ** 33 + 5
  const zeros = (length: number) => combineCrc(0x1234_5678, 0, length)
  t.equal(combineCrc(zeros(n), 0, n), zeros(2 * n))
  t.not(zeros(n), zeros(5))
})
