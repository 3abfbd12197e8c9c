import type { Box, Slab } from '../../../src/workers/formats/arrays/array-file.ts'
import { cellsIn, forEachRun } from './copy-slab.ts'

/** The stored elements of a box of an array in C order, little-endian. `width`: bytes of an element. */
export function gather(slabs: Iterable<Slab>, box: Box, width: number): Uint8Array {
  const target = new Uint8Array(cellsIn(box.extent) * width)
  for (const slab of slabs) copySlab(slab, box, width, target)
  return target
}

function copySlab(slab: Slab, box: Box, width: number, target: Uint8Array): void {
  switch (slab.kind) {
    case 'elements':
      copyElements(slab, box, width, target)
      return
    case 'inflated':
      copyElements(
        { ...slab, kind: 'elements', bytes: new Uint8Array(slab.bytes.copy()) },
        box,
        width,
        target,
      )
      return
    case 'repeated':
      forEachRun(slab, box, (_, to, elements) => {
        for (let at = to * width; at < (to + elements) * width; at += width) target.set(slab.bytes, at)
      })
      return
    case 'texts':
      throw new Error('text where numbers are expected')
  }
}

function copyElements(
  slab: Extract<Slab, { kind: 'elements' }>,
  box: Box,
  width: number,
  target: Uint8Array,
): void {
  const { bytes, isBigEndian, isShuffled, stride, offset } = slab
  const elements = cellsIn(slab.extent)
  forEachRun(slab, box, (from, to, count) => {
    const run = target.subarray(to * width, (to + count) * width)
    if (isShuffled) unshuffle(bytes.subarray(offset * elements), elements, from, run, width)
    else if (stride === width) run.set(bytes.subarray(offset + from * width, offset + (from + count) * width))
    else
      for (let element = 0; element < count; element++) {
        const at = offset + (from + element) * stride
        run.set(bytes.subarray(at, at + width), element * width)
      }
    if (isBigEndian && width > 1) swapBytes(run, width)
  })
}

/** `bytes` has the first bytes of all elements, then the second ones, and so on. */
function unshuffle(bytes: Uint8Array, elements: number, from: number, run: Uint8Array, width: number): void {
  const count = run.length / width
  for (let plane = 0; plane < width; plane++) {
    const at = plane * elements + from
    for (let element = 0; element < count; element++) run[element * width + plane] = bytes[at + element] ?? 0
  }
}

function swapBytes(run: Uint8Array, width: number): void {
  const buffer = Buffer.from(run.buffer, run.byteOffset, run.length)
  if (width === 2) buffer.swap16()
  else if (width === 4) buffer.swap32()
  else buffer.swap64()
}
