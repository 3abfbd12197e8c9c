import {
  damaged,
  type ModuleReader,
  readModule,
  SECTION,
  type Section,
  sectionsOf,
  sectionWith,
} from './module-bytes.ts'

/** The kind of imports and exports that are functions. */
const FUNCTION = 0

/**
 * Replaces an exported function of a WebAssembly module by one of the same type, which the module's own calls get as well. `bodyOf` makes
 * its body (its locals, its instructions, and the end) from the index by which it can call the one that it replaces. Returns the
 * changed module. Throws `internal` when the module has no such function.
 */
export function wrapFunction(
  bytes: Uint8Array,
  name: string,
  bodyOf: (replaced: number) => readonly number[],
): Uint8Array {
  const sections = sectionsOf(bytes)
  const imported = importedFunctions(bytes, sectionWith(sections, SECTION.import))
  const index = exportedFunction(bytes, sectionWith(sections, SECTION.export), name) - imported
  const types = sectionWith(sections, SECTION.function)
  const code = sectionWith(sections, SECTION.code)
  const type = skip(bytes, types.begin, (read) => {
    const count = read.number()
    for (let i = 0; i < index; i++) read.number()
    return { count, type: read.number() }
  })
  const old = skip(bytes, code.begin, (read) => {
    read.number()
    const first = read.at
    for (let i = 0; i < index; i++) read.skip(read.number())
    const begin = read.at
    read.skip(read.number())
    return { first, begin, end: read.at }
  })
  const body = bodyOf(imported + type.count)
  const typesFrom = skip(bytes, types.begin, (read) => {
    read.number()
    return read.at
  })
  const count = leb(type.count + 1)
  const typeParts = [count, bytes.subarray(typesFrom, types.end), leb(type.type)]
  const codeParts = [
    ...[count, bytes.subarray(old.first, old.begin), leb(body.length), Uint8Array.from(body)],
    ...[bytes.subarray(old.end, code.end), bytes.subarray(old.begin, old.end)],
  ]
  return join([
    bytes.subarray(0, types.start),
    ...sectionParts(SECTION.function, typeParts),
    bytes.subarray(types.end, code.start),
    ...sectionParts(SECTION.code, codeParts),
    bytes.subarray(code.end),
  ])
}

function exportedFunction(bytes: Uint8Array, { begin }: Section, name: string): number {
  const read = readModule(bytes, begin)
  const count = read.number()
  for (let i = 0; i < count; i++) {
    const exported = read.name()
    const kind = read.byte()
    const index = read.number()
    if (kind === FUNCTION && exported === name) return index
  }
  return damaged()
}

/** The number of functions among the imports, which have the first indexes. */
function importedFunctions(bytes: Uint8Array, { begin }: Section): number {
  const read = readModule(bytes, begin)
  const count = read.number()
  let functions = 0
  for (let i = 0; i < count; i++) {
    read.skip(read.number())
    read.skip(read.number())
    const kind = read.byte()
    if (kind === FUNCTION) functions++
    skipImport(read, kind)
  }
  return functions
}

/** Skips the type of an import: of a function, a table, a memory, a global or a tag. */
function skipImport(read: ModuleReader, kind: number): void {
  const limits = () => {
    const hasMaximum = (read.number() & 1) === 1
    read.number()
    if (hasMaximum) read.number()
  }
  if (kind === FUNCTION) read.number()
  else if (kind === 2) limits()
  else if (kind === 1) {
    read.skip(1)
    limits()
  } else if (kind === 3) read.skip(2)
  else if (kind === 4) {
    read.skip(1)
    read.number()
  } else damaged()
}

function sectionParts(id: number, parts: readonly Uint8Array[]): readonly Uint8Array[] {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  return [Uint8Array.of(id), leb(size), ...parts]
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** A number in unsigned LEB128. */
function leb(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.of(...bytes, rest)
    bytes.push((rest % 128) | 0x80)
  }
}

function skip<T>(bytes: Uint8Array, from: number, read: (reader: ModuleReader) => T): T {
  return read(readModule(bytes, from))
}
