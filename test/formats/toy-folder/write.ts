import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'

/** Rows of a segment. */
export const ROWS = 4

/** Writes a dataset of columns `a` and `b`, of which segment 1 of `b` is not there. */
export function writeToy(folder: string, segments = 3): void {
  mkdirSync(folder, { recursive: true })
  for (let segment = 0; segment < segments; segment++) {
    writeChunk(folder, `a/${segment}`, segment)
    if (segment !== 1) writeChunk(folder, `b/${segment}`, 10 + segment)
  }
  writeDocument(folder, 'toy.json', { columns: ['a', 'b'], segments, rows: ROWS })
}

export function writeDocument(folder: string, key: string, document: unknown): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, key), JSON.stringify(document))
}

/** An object in which all rows have one value. */
export function writeChunk(folder: string, key: string, value: number, rows = ROWS): void {
  const values = new BigInt64Array(rows).fill(BigInt(value))
  mkdirSync(dirname(join(folder, key)), { recursive: true })
  writeFileSync(join(folder, key), deflateSync(new Uint8Array(values.buffer)))
}

export function removeObject(folder: string, key: string): void {
  rmSync(join(folder, key))
}
