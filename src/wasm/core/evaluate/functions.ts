import type { Emit, Emitter } from './emitter.ts'
import { angleOutOfRange, logarithmOf, outsideOfOne } from './failures.ts'
import type { Operation, TellFailure, Value } from './program.ts'

/** Functions of one number, in the order of `src/evaluate/kernels/functions.rs`. */
const FUNCTIONS = ['exp', 'cbrt', 'atan', 'sinh', 'cosh', 'tanh']
const FAILING_FUNCTIONS: readonly (readonly [names: readonly string[], tell: TellFailure])[] = [
  [['ln'], logarithmOf],
  [['log2'], logarithmOf],
  [['log10', 'log'], logarithmOf],
  ...['sin', 'cos', 'tan'].map((name) => [[name], angleOutOfRange] as const),
  ...['asin', 'acos'].map((name) => [[name], outsideOfOne(name)] as const),
]

const strict =
  (emit: (emitter: Emitter, values: readonly Value[]) => Value): Emit =>
  (emitter, args) =>
    emit(
      emitter,
      args.map((arg) => arg(emitter)),
    )

const operation = (name: Operation): Emit => strict((emitter, values) => emitter.operate(name, values))

const factor = (value: number): Emit =>
  strict((emitter, [angle = 0]) =>
    emitter.operate('multiply', [angle, emitter.constant('f64', { kind: 'float', value })]),
  )

export const EMITTED_FUNCTIONS: readonly (readonly [name: string, emit: Emit])[] = [
  ...FUNCTIONS.map(
    (name, number) =>
      [name, strict((emitter, [value = 0]) => emitter.operate('function', [value, number]))] as const,
  ),
  ...FAILING_FUNCTIONS.flatMap(([names, tellFailure], number) =>
    names.map(
      (name) =>
        [
          name,
          strict((emitter, [value = 0]) =>
            emitter.operate('partial_function', [value, number], { tellFailure }),
          ),
        ] as const,
    ),
  ),
  ['atan2', operation('angle')],
  ['pow', operation('power')],
  ['power', operation('power')],
  ['radians', factor(Math.PI / 180)],
  ['degrees', factor(180 / Math.PI)],
]
