import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import t from 'tap'
import { inflateByContext, inflateZstdInto } from '../../src/wasm/zstd-context.ts'
import { isWholeSizedFrame } from '../../src/wasm/zstd-frame.ts'
import { inflate } from '../../src/workers/formats/inflate.ts'
import { generator } from '../support/generate.ts'

const random = generator('zstd')

const PARAMETERS = [
  {},
  { [constants.ZSTD_c_checksumFlag]: 1 },
  { [constants.ZSTD_c_contentSizeFlag]: 0 },
  { [constants.ZSTD_c_contentSizeFlag]: 0, [constants.ZSTD_c_checksumFlag]: 1 },
  { [constants.ZSTD_c_windowLog]: 12 },
]

function anyFrame(): { readonly frame: Buffer; readonly content: Buffer } {
  const length = 1 + random([10, 1000, 300_000][random(3)] ?? 1)
  const letters = [1, 4, 256][random(3)] ?? 1
  const content = Buffer.from(Uint8Array.from({ length }, () => random(letters)))
  const params = PARAMETERS[random(PARAMETERS.length)] ?? {}
  return { frame: zstdCompressSync(content, { params }), content }
}

/** The frame with what may befall it, or the frame itself. */
function altered(frame: Buffer): Buffer {
  switch (random(8)) {
    case 0:
      return frame.subarray(0, random(frame.length))
    case 1:
      return frame.subarray(0, Math.max(0, frame.length - 1 - random(5)))
    case 2:
      return Buffer.concat([frame, anyFrame().frame])
    case 3:
      return Buffer.concat([frame, Buffer.from([random(256)])])
    case 4: {
      const other = Buffer.from(frame)
      other[random(frame.length)] = random(256)
      return other
    }
    default:
      return frame
  }
}

/** By a new stream for each call. Null: they cannot be inflated to so many bytes. */
function byNode(stored: Uint8Array, size: number): Buffer | null {
  try {
    const bytes = zstdDecompressSync(stored, { chunkSize: Math.max(64, size + 1), maxOutputLength: size })
    return bytes.length === size ? bytes : null
  } catch {
    return null
  }
}

function byService(stored: Uint8Array, size: number): Uint8Array | null {
  try {
    return inflate('zstd', stored, size)
  } catch {
    return null
  }
}

t.test('frames, whole and damaged, one after the other', async (t) => {
  let refused = 0
  for (let i = 0; i < 500; i++) {
    const { frame, content } = anyFrame()
    const stored = altered(frame)
    const size = Math.max(1, content.length + ([0, 0, 0, 1, -1, 1000][random(6)] ?? 0))
    const [expected, found] = [byNode(stored, size), byService(stored, size)]
    if (expected === null) refused++
    const isSame = expected === null ? found === null : found !== null && expected.equals(found)
    if (!isSame) t.fail(`frame ${i} of ${stored.length} bytes for ${size} inflates otherwise`)
  }
  t.ok(refused > 50 && refused < 450, `${refused} are refused`)
})

t.test('the kept context inflates what writers make', async (t) => {
  for (let i = 0; i < 20; i++) {
    const { frame, content } = anyFrame()
    const inflated = inflateByContext(frame, content.length, Buffer.allocUnsafeSlow)
    t.ok(inflated !== null && content.equals(inflated))
  }
})

t.test('the beginning of a frame is inflated, whatever came before it', async (t) => {
  for (let i = 0; i < 200; i++) {
    const { frame, content } = anyFrame()
    const stored = altered(frame)
    const room = Buffer.alloc(1 + random(content.length + 2))
    const inflated = inflateZstdInto(stored, room)
    const whole = byNode(stored, content.length)
    // Where data follow a frame that does not fill the room, callers inflate in another way.
    const isFollowed = stored.length > frame.length && content.length < room.length
    if (whole !== null && !isFollowed && inflated !== Math.min(room.length, whole.length))
      t.fail(`frame ${i}: ${inflated} of ${room.length} bytes`)
    if (
      inflated !== null &&
      whole !== null &&
      !whole.subarray(0, inflated).equals(room.subarray(0, inflated))
    )
      t.fail(`frame ${i} has other bytes`)
    t.ok(inflate('zstd', frame, content.length), 'and the next one is inflated')
  }
})

t.test('a frame is whole only with its last byte and no other', async (t) => {
  for (const params of PARAMETERS) {
    const frame = zstdCompressSync(Buffer.from('abc'.repeat(1000)), { params })
    const isSized = params[constants.ZSTD_c_contentSizeFlag] !== 0
    t.equal(isWholeSizedFrame(frame), isSized)
    t.equal(isWholeSizedFrame(Buffer.concat([frame, Buffer.alloc(1)])), false)
    for (let length = 0; length < frame.length; length++)
      if (isWholeSizedFrame(frame.subarray(0, length))) t.fail(`${length} bytes of ${frame.length}`)
  }
})
