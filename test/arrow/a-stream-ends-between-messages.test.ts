import { readFileSync } from 'node:fs'
import t from 'tap'
import { fixture } from '../formats/fixtures.ts'
import { read } from './reading.ts'

const END_BYTES = 8
const stream = readFileSync(fixture('arrow', 'flat-stream-lz4'))
const unended = stream.subarray(0, -END_BYTES)

t.test('with or without its end marker', async (t) => {
  t.strictSame(read(unended), read(stream))
  t.strictSame(read(Buffer.concat([unended, Buffer.alloc(4)])), read(stream), 'or that of Arrow before 0.15')
})

t.test('and not inside one', async (t) => {
  for (const bytes of [1, END_BYTES + 1, 1000])
    t.throws(() => read(stream.subarray(0, -bytes)), {
      code: 'unreadable_file',
      message: /"x.arrow" .*cut short/,
    })
})

t.test('nothing follows', async (t) => {
  for (const rest of [Buffer.alloc(8), stream])
    t.throws(() => read(Buffer.concat([stream, rest])), {
      code: 'unreadable_file',
      message: /follow the end/,
    })
})

t.test('one stream behind another is not part of it', async (t) => {
  t.throws(() => read(Buffer.concat([unended, stream])), { code: 'unreadable_file', message: /kind 1/ })
})

t.test('a file that is cut short is not read as a stream', async (t) => {
  const file = readFileSync(fixture('arrow', 'flat-file'))
  t.throws(() => read(file.subarray(0, -1)), { code: 'unreadable_file', message: /ARROW1/ })
})
