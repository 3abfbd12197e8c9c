/**
 * What a value of an answer looks like: a value itself, `String`, `Number` or `Boolean`, a regular expression for a text, an array or an
 * object of shapes (with no further members), or one that a function of this file makes.
 */
const KIND = 'a shape that is'

export function each(shape: unknown): unknown {
  return { [KIND]: 'each', shape }
}

/** An array in which something has each of these shapes. */
export function including(...shapes: readonly unknown[]): unknown {
  return { [KIND]: 'including', shapes }
}

/** An array in which nothing has the shape. */
export function without(shape: unknown): unknown {
  return { [KIND]: 'without', shape }
}

/** An object that may have further members. */
export function atLeast(members: Readonly<Record<string, unknown>>): unknown {
  return { [KIND]: 'at least', members }
}

export function either(...shapes: readonly unknown[]): unknown {
  return { [KIND]: 'either', shapes }
}

export function all(...shapes: readonly unknown[]): unknown {
  return { [KIND]: 'all', shapes }
}

/** An array in the order of its texts, or of a member of its objects. */
export function inOrder(member: string | null = null): unknown {
  return { [KIND]: 'in order', member }
}

/** A whole number that is not negative. */
export const COUNT: unknown = Object.freeze({ [KIND]: 'count' })

export const ANYTHING: unknown = Object.freeze({ [KIND]: 'anything' })

const PRIMITIVES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
])

/** Where a value does not have a shape, and what is there. Null: it has it. */
export function mismatch(value: unknown, shape: unknown, path = ''): string | null {
  const primitive = PRIMITIVES.get(shape)
  if (primitive !== undefined) return typeof value === primitive ? null : fault(value, `a ${primitive}`, path)
  if (shape instanceof RegExp)
    return typeof value === 'string' && shape.test(value) ? null : fault(value, String(shape), path)
  if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length !== shape.length)
      return fault(value, `${shape.length} elements`, path)
    return first(shape.map((each, index) => () => mismatch(value[index], each, `${path}[${index}]`)))
  }
  if (typeof shape !== 'object' || shape === null)
    return Object.is(value, shape) ? null : fault(value, JSON.stringify(shape), path)
  if (KIND in shape) return mismatchOf(value, shape as Special, path)
  const extra = Object.keys(Object(value)).filter((name) => !(name in shape))
  if (extra.length > 0) return fault(value, `no members but ${Object.keys(shape).join()}`, path)
  return membersOf(value, shape, path)
}

type Special = Readonly<Record<string, unknown>>

function mismatchOf(value: unknown, special: Special, path: string): string | null {
  const shapes = special['shapes'] as readonly unknown[]
  switch (special[KIND]) {
    case 'anything':
      return null
    case 'count':
      return Number.isInteger(value) && Number(value) >= 0 ? null : fault(value, 'a count', path)
    case 'at least':
      return membersOf(value, special['members'] as object, path)
    case 'either':
      return shapes.some((shape) => mismatch(value, shape) === null)
        ? null
        : fault(value, `one of ${shapes.length} shapes`, path)
    case 'all':
      return first(shapes.map((shape) => () => mismatch(value, shape, path)))
  }
  if (!Array.isArray(value)) return fault(value, 'an array', path)
  switch (special[KIND]) {
    case 'each':
      return first(value.map((each, index) => () => mismatch(each, special['shape'], `${path}[${index}]`)))
    case 'without':
      return value.some((each) => mismatch(each, special['shape']) === null)
        ? fault(value, 'nothing of a shape', path)
        : null
    case 'in order': {
      const texts = value.map((each) => (special['member'] === null ? each : each[String(special['member'])]))
      return texts.every(
        (text, index) => index === 0 || Buffer.compare(Buffer.from(texts[index - 1]), Buffer.from(text)) <= 0,
      )
        ? null
        : fault(texts, 'an order', path)
    }
    default:
      return first(
        shapes.map(
          (shape, index) => () =>
            value.some((each) => mismatch(each, shape) === null)
              ? null
              : fault(value, `something like the shape ${index}`, path),
        ),
      )
  }
}

function membersOf(value: unknown, shape: object, path: string): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fault(value, 'an object', path)
  const members = new Map(Object.entries(value))
  return first(
    Object.entries(shape).map(
      ([name, each]) =>
        () =>
          mismatch(members.get(name), each, `${path}.${name}`),
    ),
  )
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check()
    if (found !== null) return found
  }
  return null
}

function fault(value: unknown, shape: string, path: string): string {
  return `${path || 'it'} is ${JSON.stringify(value)?.slice(0, 300)}, not ${shape}`
}
