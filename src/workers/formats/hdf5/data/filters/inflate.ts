import { inflateSync, zstdDecompressSync } from 'node:zlib'
import { fault } from '../fault.ts'
import type { DecodeFilter } from './filter.ts'

const INFLATORS = Object.freeze({ deflate: inflateSync, zstd: zstdDecompressSync })

function inflating(codec: keyof typeof INFLATORS): DecodeFilter {
  const inflate = INFLATORS[codec]
  return (stored, { bytes }) => {
    try {
      // One buffer for all of the output. It has a byte to spare, because zlib allocates another buffer once one is full.
      return inflate(stored, { chunkSize: Math.max(64, bytes + 1), maxOutputLength: Math.max(1, bytes) })
    } catch (cause) {
      throw fault(`data compressed by ${codec} cannot be inflated to ${bytes} bytes`, { cause })
    }
  }
}

/** Filter 1. */
export const decodeDeflate = inflating('deflate')

/** Filter 32015. */
export const decodeZstd = inflating('zstd')
