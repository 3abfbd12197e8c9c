import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { type GridDocument, lengthsOf, MARKER, type Variable } from './document.ts'

/** The value of a cell by its indices. Null: the chunk of the cell does not exist. */
export type CellValue = (variable: string, indices: readonly number[]) => bigint | null

/** The objects of a grid by their keys. */
function gridObjects(document: GridDocument, value: CellValue): Map<string, Uint8Array> {
  const objects = new Map<string, Uint8Array>([[MARKER, Buffer.from(JSON.stringify(document))]])
  for (const variable of document.variables)
    for (const chunk of chunksOf(document, variable)) {
      const bytes = chunkBytes(document, variable, chunk, value)
      if (bytes !== null) objects.set(`${variable.name}/${chunk.join('.') || '0'}`, bytes)
    }
  return objects
}

/** Writes a grid into a folder. */
export function writeGrid(folder: string, document: GridDocument, value: CellValue): void {
  for (const [key, bytes] of gridObjects(document, value)) {
    const file = join(folder, key)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
}

/** A chunk as it is stored. Null: it does not exist. */
function chunkBytes(
  document: GridDocument,
  variable: Variable,
  chunk: readonly number[],
  value: CellValue,
): Uint8Array | null {
  const lengths = lengthsOf(document, variable)
  const begin = lengths.map((each, place) => each.chunk * (chunk[place] ?? 0))
  const extent = lengths.map((each, place) => Math.min(each.chunk, each.size - (begin[place] ?? 0)))
  const values = cellsIn(extent).map((cell) =>
    value(
      variable.name,
      cell.map((each, place) => each + (begin[place] ?? 0)),
    ),
  )
  if (values.includes(null)) return null
  const bytes = new Uint8Array(BigInt64Array.from(values.map((each) => each ?? 0n)).buffer)
  return document.isDeflated ? deflateSync(bytes) : bytes
}

function chunksOf(document: GridDocument, variable: Variable): number[][] {
  return cellsIn(lengthsOf(document, variable).map(({ size, chunk }) => Math.ceil(size / chunk)))
}

/** All indices of a box in C order. */
export function cellsIn(extent: readonly number[]): number[][] {
  return extent.reduce<number[][]>(
    (cells, length) => cells.flatMap((cell) => Array.from({ length }, (_, index) => [...cell, index])),
    [[]],
  )
}
