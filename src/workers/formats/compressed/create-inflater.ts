import type { Compression } from '../../../plan/source/plain-bytes.ts'
import { openInflatingStream, type StreamCodec } from '../../../wasm/codecs/inflating-stream.ts'
import type { Inflater, ReadNext } from './inflater.ts'
import { createGzipInflater, createZstdInflater } from './node-inflater.ts'

export function createInflater(compression: Compression, read: ReadNext): Inflater {
  switch (compression) {
    case 'gzip':
      return createGzipInflater(read)
    case 'zstd':
      return createZstdInflater(read)
    case 'xz':
    case 'bzip2':
      return createCodecInflater(compression, read)
  }
}

/** How many bytes are copied out of the memory of the codec at a time. */
const STEP_BYTES = 256 << 10

function createCodecInflater(codec: StreamCodec, read: ReadNext): Inflater {
  const stream = openInflatingStream(codec, read)
  return {
    fill(target) {
      for (let filled = 0; filled < target.length; ) {
        const wanted = Math.min(STEP_BYTES, target.length - filled)
        const step = stream.next(wanted)
        target.set(step, filled)
        filled += step.length
        if (step.length < wanted) return filled
      }
      return target.length
    },
  }
}
