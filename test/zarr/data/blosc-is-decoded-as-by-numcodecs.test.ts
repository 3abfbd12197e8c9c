import t from 'tap'
import { isServiceError } from '../../../src/plan/errors.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { inflateBlosc } from '../../../src/workers/formats/codecs/in-core.ts'
import { generator } from '../../support/generate.ts'
import { runPython, skipWithout } from '../../support/python.ts'

/** Buffers of random data by each codec, shuffle, element and block size, and what numcodecs makes of each after some bytes were changed. */
const PROGRAM = `
import base64, json, struct, sys
import numpy as np
from numcodecs import Blosc

random = np.random.default_rng(int(sys.argv[1]))
MOST = 1 << 22

def changed(buffer):
    bytes = bytearray(buffer)
    kind = random.integers(4)
    if kind == 0:
        return bytes[: random.integers(len(bytes) + 1)]
    for _ in range(random.integers(1, 4)):
        # The header and the places of blocks in half of the cases.
        end = len(bytes) if random.integers(2) else min(len(bytes), 40)
        bytes[random.integers(end)] = random.choice([0, 1, 127, 128, 255, random.integers(256)])
    return bytes

def decoded(buffer):
    if len(buffer) < 16:
        return None
    size, block, stored = struct.unpack("<III", buffer[4:16])
    # Whoever reads a store knows both sizes, and numcodecs trusts the one it is told.
    if size > MOST or stored != len(buffer):
        return None
    try:
        return bytes(Blosc().decode(bytes(buffer)))
    except Exception:
        return None

cases = []
for _ in range(int(sys.argv[2])):
    size = int(random.choice([1, 2, 4, 8, 3, 16, 20]))
    count = int(random.choice([0, 1, 7, 8, 300, 20_000, random.integers(2000)]))
    values = np.cumsum(random.integers(0, int(random.choice([2, 7, 250])), count * size)).astype("u1").tobytes()
    if size in (4, 8) and random.integers(2):
        # Shuffled noise: streams that are stored as they are, and one of many short matches.
        values = random.normal(10, 3, count).astype(f"f{size}").tobytes()
    name = str(random.choice(["blosclz", "lz4", "lz4hc", "zlib", "zstd"]))
    codec = Blosc(name, int(random.choice([0, 1, 5, 9])), int(random.choice([0, 1, 2])), int(random.choice([0, 0, 256, 4096])))
    if len(cases) < 20:
        # One block of shuffled elements, whatever the seed.
        size, values, codec = 4, np.arange(300, dtype="f4").tobytes(), Blosc("lz4", 5, 1, 0)
    plain = np.frombuffer(values, f"V{size}") if size > 1 else np.frombuffer(values, "u1")
    buffer = codec.encode(plain)
    for each in [buffer] + [changed(buffer) for _ in range(6)]:
        result = decoded(each)
        cases.append({
            "stored": base64.b64encode(bytes(each)).decode(),
            "decoded": None if result is None else base64.b64encode(result).decode(),
            "isWhole": each is buffer, "width": size, "bytes": len(values), "codec": repr(codec),
        })
print(json.dumps(cases))
`

interface Case {
  readonly stored: string
  /** Null: numcodecs refuses it. */
  readonly decoded: string | null
  /** Whether nothing was changed. */
  readonly isWhole: boolean
  readonly width: number
  readonly bytes: number
  readonly codec: string
}

/** How many buffers stayed shuffled. */
let shuffled = 0

const core = createCore({ maximumBytes: 1 << 28 })

/** The elements, which may stay shuffled in the core. Null: they are refused. */
function decoded(stored: Buffer, most: number, width: number): Buffer | null {
  try {
    const inflated = inflateBlosc(core, stored, most, width)
    const bytes = Buffer.from(inflated.copy(), 0, inflated.length)
    if (!inflated.isShuffled) return bytes
    shuffled++
    const count = bytes.length / width
    return Buffer.from(bytes.map((_, at) => bytes[(at % width) * count + Math.floor(at / width)] ?? 0))
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
    return null
  }
}

t.test(
  'what numcodecs makes of a buffer, whole or changed',
  { skip: skipWithout('numcodecs') },
  async (t) => {
    const cases: readonly Case[] = JSON.parse(
      await runPython(PROGRAM, [String(generator('blosc')(2 ** 31)), '150']),
    )
    for (const [at, { stored, decoded: expected, isWhole, width, bytes, codec }] of cases.entries()) {
      const buffer = Buffer.from(stored, 'base64')
      const elementBytes = at % 3 === 0 ? 0 : width
      const size = expected === null ? bytes : Buffer.byteLength(expected, 'base64')
      const result = decoded(buffer, size, elementBytes)
      if (isWhole && !result?.equals(Buffer.from(expected ?? '', 'base64')))
        t.fail(`${codec}, ${bytes} bytes`)
      // What only one of both refuses is neither's defect: they differ in where a damaged stream must end.
      if (result !== null && expected !== null && !result.equals(Buffer.from(expected, 'base64')))
        t.fail(`changed: ${codec}: ${stored}`)
    }
    t.ok(shuffled > 0, 'some stay shuffled')
    t.notOk(core.isDead(), 'nothing has trapped')
  },
)
