import t from 'tap'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { writeHints } from '../../src/workers/formats/parquet/metadata/hint.ts'
import {
  ConvertedType,
  PhysicalType,
  Repetition,
  type SchemaElement,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'

import { generator } from '../support/generate.ts'

import { compareDecoders, flatChunks } from './both-decoders.ts'
import { writeParquet } from './write-parquet.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const random = generator('types')

const { int32, int64, int96, byteArray, fixedLenByteArray } = PhysicalType

const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => random(256)))

/** A time in INT96. `isFar`: of any bytes, of which some are beyond what microseconds or nanoseconds reach. */
function instant(isFar: boolean): Buffer {
  const value = bytes(12)
  if (isFar) return value
  value.writeBigUInt64LE(BigInt(random(86_400)) * 1_000_000_000n + BigInt(random(1e9)), 0)
  value.writeInt32LE(2_440_588 + random(100_000) - 50_000, 8)
  return value
}

/** Any months and days of 31 bits, and milliseconds of 32. */
function interval(): Buffer {
  const value = bytes(12)
  value.writeUInt32LE(random(2 ** 31), 0)
  value.writeUInt32LE(random(2 ** 31), 4)
  return value
}

interface Case {
  readonly name: string
  readonly element: Partial<SchemaElement>
  readonly value: () => number | Uint8Array
  /** The type in the embedded Arrow schema. */
  readonly hint?: DataType
  /** Some of the values do not fit into the type. */
  readonly isRefused?: boolean
}

const decimal = (precision: number, scale: number): Partial<SchemaElement> => ({
  convertedType: ConvertedType.decimal,
  precision,
  scale,
})
const integer = (bitWidth: number, isSigned: boolean): Partial<SchemaElement> => ({
  type: int32,
  logicalType: { integer: { bitWidth, isSigned } },
})
const any32 = (): number => random(2 ** 31) - random(2 ** 31)
const span = { type: fixedLenByteArray, typeLength: 12, convertedType: ConvertedType.interval }

const CASES: readonly Case[] = [
  ...[8, 16, 32].flatMap((bits) =>
    [true, false].map((isSigned) => ({
      name: `${bits} bits ${isSigned ? 'with' : 'without'} a sign, of any 32`,
      element: integer(bits, isSigned),
      value: any32,
    })),
  ),
  ...[1, 2, 7, 8, 9, 15, 16].map((size) => ({
    name: `decimals of ${size} bytes of a variable length`,
    element: { type: byteArray, ...decimal(30, 2) },
    value: () => bytes(1 + random(size)),
  })),
  {
    name: 'decimals of up to 32 bytes of a variable length',
    element: { type: byteArray, ...decimal(70, 2) },
    value: () => bytes(1 + random(32)),
  },
  ...[1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 20, 24, 31, 32].map((typeLength) => ({
    name: `decimals of ${typeLength} bytes`,
    element: { type: fixedLenByteArray, typeLength, ...decimal(2, 1) },
    value: () => bytes(typeLength),
  })),
  ...([32, 64, 128] as const).map((bits) => ({
    name: `decimals of 4 bytes as ${bits} bits`,
    element: { type: fixedLenByteArray, typeLength: 4, ...decimal(5, 1) },
    value: () => bytes(4),
    hint: { kind: 'decimal', bits, precision: 5, scale: 1 } as const,
  })),
  ...([32, 64, 128] as const).map((bits) => ({
    name: `decimals of an INT32 as ${bits} bits`,
    element: { type: int32, ...decimal(5, 1) },
    value: any32,
    hint: { kind: 'decimal', bits, precision: 5, scale: 1 } as const,
  })),
  { name: 'decimals of an INT64', element: { type: int64, ...decimal(15, 1) }, value: any32 },
  { name: 'INT96', element: { type: int96 }, value: () => instant(false) },
  { name: 'INT96 of any bytes', element: { type: int96 }, value: () => instant(true), isRefused: true },
  ...(['second', 'millisecond', 'microsecond', 'nanosecond'] as const).flatMap((unit) =>
    [false, true].map((isFar) => ({
      name: `INT96 in ${unit}s${isFar ? ' of any bytes' : ''}`,
      element: { type: int96 },
      value: () => instant(isFar),
      hint: { kind: 'timestamp', unit, zone: null } as const,
      isRefused: isFar && (unit === 'microsecond' || unit === 'nanosecond'),
    })),
  ),
  { name: 'intervals without an Arrow schema', element: span, value: interval },
  { name: 'intervals of any bytes', element: span, value: () => bytes(12), isRefused: true },
  ...(['year_month', 'day_time', 'month_day_nano'] as const).map((unit) => ({
    name: `intervals as ${unit}`,
    element: span,
    value: interval,
    hint: { kind: 'interval', unit } as const,
  })),
  {
    name: 'days as milliseconds',
    element: { type: int32, logicalType: { date: {} } },
    value: any32,
    hint: { kind: 'date', unit: 'millisecond' },
  },
  {
    name: 'milliseconds of days in an INT64',
    element: { type: int64 },
    value: any32,
    hint: { kind: 'date', unit: 'millisecond' },
  },
  { name: 'always null', element: { type: int32, logicalType: { unknown: {} } }, value: any32 },
  {
    name: 'always null texts',
    element: { type: byteArray, logicalType: { unknown: {} } },
    value: () => bytes(3),
  },
  {
    name: 'binary that the Arrow schema calls text',
    element: { type: byteArray },
    value: () => Buffer.from('Ærø'),
    hint: { kind: 'utf8' },
  },
]

for (const { name, element, value, hint, isRefused = false } of CASES)
  t.test(name, async (t) => {
    for (const isOptional of [false, true]) {
      const rows = 50
      const repetition = isOptional ? Repetition.optional : Repetition.required
      const maxDefinition = isOptional ? 1 : 0
      const levels = Array.from({ length: rows }, (_, i) =>
        isOptional && i % 5 === 2
          ? { repetition: 0, definition: 0 }
          : { repetition: 0, definition: maxDefinition, value: value() },
      )
      const pages = [
        { levels: levels.slice(0, 20), version: 1 as const },
        { levels: levels.slice(20), version: 2 as const },
      ]
      const schema = [
        { name: 'schema', children: 1 },
        { name: 'x', repetition, ...element },
      ]
      const field = hint && { name: 'x', type: hint, nullable: isOptional, metadata: {} }
      const file = writeParquet(
        schema,
        [{ path: ['x'], type: element.type ?? int32, maxDefinition, maxRepetition: 0, pages }],
        rows,
        (metadata) =>
          field ? { ...metadata, keyValues: [writeHints({ fields: [field], metadata: {} })] } : metadata,
      )
      for (const { column } of flatChunks(file))
        for (const [offset, limit] of [
          [0, rows],
          [13, 20],
        ] as const)
          t.equal(
            compareDecoders(core, column, offset, limit),
            isRefused ? 'both refuse' : 'equal',
            `${isOptional}, from ${offset}`,
          )
    }
    t.equal(core.usedBytes(), 0)
  })
