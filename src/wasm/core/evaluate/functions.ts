import type { Emit, Emitter } from './emitter.ts'
import { logarithmOf } from './failures.ts'
import type { Operation, Value } from './program.ts'

/** Functions of one number, in the order of `src/evaluate/kernels/functions.rs`. */
const FUNCTIONS = ['exp', 'cbrt']
const LOGARITHMS: readonly (readonly string[])[] = [['ln'], ['log2'], ['log10', 'log']]

const strict =
  (emit: (emitter: Emitter, values: readonly Value[]) => Value): Emit =>
  (emitter, args) =>
    emit(
      emitter,
      args.map((arg) => arg(emitter)),
    )

const operation = (name: Operation, to?: 'bool' | 'i64'): Emit =>
  strict((emitter, values) => emitter.operate(name, values, to ? { to } : {}))

const factor = (value: number): Emit =>
  strict((emitter, [angle = 0]) =>
    emitter.operate('multiply', [angle, emitter.constant('f64', { kind: 'float', value })]),
  )

export const EMITTED_FUNCTIONS: readonly (readonly [name: string, emit: Emit])[] = [
  ...FUNCTIONS.map(
    (name, number) =>
      [name, strict((emitter, [value = 0]) => emitter.operate('function', [value, number]))] as const,
  ),
  ...LOGARITHMS.flatMap((names, number) =>
    names.map(
      (name) =>
        [
          name,
          strict((emitter, [value = 0]) =>
            emitter.operate('logarithm', [value, number], { tellFailure: logarithmOf }),
          ),
        ] as const,
    ),
  ),
  ['pow', operation('power')],
  ['power', operation('power')],
  ['radians', factor(Math.PI / 180)],
  ['degrees', factor(180 / Math.PI)],
  ['like', operation('like', 'bool')],
  ['starts_with', operation('starts_with', 'bool')],
  ['ends_with', operation('ends_with', 'bool')],
  ['contains', operation('contains', 'bool')],
  ['length', operation('length', 'i64')],
]
