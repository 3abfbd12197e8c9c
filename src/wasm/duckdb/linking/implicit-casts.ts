import { wrapFunction } from './wrap-function.ts'

/*
 * DuckDB decides in one function which types it casts on its own, and what that counts when it chooses an overload or a common type. DuckDB
 * 1.4 has no rule for times without a zone that are not in microseconds and times with one, so that it does not compare them. Later versions do, except for
 * nanoseconds.
 */

/** `CastRules::ImplicitCast(from, to)`, where both are addresses of a `LogicalType`. -1: it does not cast. */
const IMPLICIT_CAST = 'orig$_ZN6duckdb9CastRules12ImplicitCastERKNS_11LogicalTypeES3_'

/** Values of `LogicalTypeId`, in the first byte of a `LogicalType`. */
const TYPE = Object.freeze({ timestamp_s: 17, timestamp_ms: 18, timestamp_ns: 20, timestamp_tz: 32 })

/** What a cast from TIMESTAMP to a time with a zone counts in DuckDB: more than one to another unit. */
const TO_ZONED = 123
/** What a cast to nanoseconds counts here: more than any other, because few years have room there. */
const TO_NANOSECONDS = 200

// Instructions of WebAssembly.
const LOCAL_GET = 0x20
const I32_LOAD = [0x28, 2]
const I32_LOAD8_U = [0x2d, 0, 0]
const I32_CONST = 0x41
const I64_CONST = 0x42
const I32_EQZ = 0x45
const I32_EQ = 0x46
const I32_AND = 0x71
const I32_OR = 0x72
const IF = [0x04, 0x40]
const END = 0x0b
const RETURN = 0x0f
const CALL = 0x10

/** Where a `LogicalType` has a pointer, which is null for a type without a name of its own. */
const INFO = 4

/**
 * Adds rules to a module: times in seconds and milliseconds become times with a zone, and these become nanoseconds without one, so that comparisons
 * are exact.
 */
export function addImplicitCasts(bytes: Uint8Array): Uint8Array {
  return wrapFunction(bytes, IMPLICIT_CAST, (replaced) => [
    0,
    ...isType(0, TYPE.timestamp_s),
    ...isType(0, TYPE.timestamp_ms),
    I32_OR,
    ...isType(1, TYPE.timestamp_tz),
    I32_AND,
    ...returnConstant(TO_ZONED),
    ...isType(0, TYPE.timestamp_tz),
    ...isType(1, TYPE.timestamp_ns),
    I32_AND,
    ...[LOCAL_GET, 1, ...I32_LOAD, INFO, I32_EQZ, I32_AND],
    ...returnConstant(TO_NANOSECONDS),
    ...[LOCAL_GET, 0, LOCAL_GET, 1, CALL, ...encodeUnsigned(replaced)],
    END,
  ])
}

function isType(parameter: number, id: number): readonly number[] {
  return [LOCAL_GET, parameter, ...I32_LOAD8_U, I32_CONST, ...encodeSigned(id), I32_EQ]
}

function returnConstant(cost: number): readonly number[] {
  return [...IF, I64_CONST, ...encodeSigned(cost), RETURN, END]
}

function encodeUnsigned(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) | 0x80, ...encodeUnsigned(Math.floor(value / 128))]
}

/** A positive number in signed LEB128, whose last byte has the sign in bit 6. */
function encodeSigned(value: number): readonly number[] {
  return value < 64 ? [value] : [(value % 128) | 0x80, ...encodeSigned(Math.floor(value / 128))]
}
