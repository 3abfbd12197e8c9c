import t from 'tap'
import { createVersionRows } from '../../src/main/datasets/fingerprint/version-rows.ts'
import { type FileVersion, sameVersion } from '../../src/plan/source/version.ts'
import { generator } from '../support/generate.ts'

const below = generator('versions in rows')

/** How far the numbers of files are from each other: not at all, near, about as far as four bytes say, and anywhere. */
const SPREADS = [1n, 1000n, 1n << 31n, 1n << 32n, 1n << 33n, 1n << 64n]

function randomBits(): bigint {
  return (BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32))
}

/** Numbers of one column. `isTime`: they may be negative. */
function numbers(isTime: boolean): () => bigint {
  const first = randomBits() >> BigInt(below(64))
  const spread = SPREADS[below(SPREADS.length)] ?? 1n
  // Most columns have a few numbers that are far from the others.
  const odds = below(3) === 0 ? 20 : Number.MAX_SAFE_INTEGER
  return () => {
    const number = below(odds) === 0 ? randomBits() : first + (randomBits() % spread) - spread / 2n
    return isTime ? BigInt.asIntN(64, number) : BigInt.asUintN(64, number)
  }
}

function versions(): () => FileVersion {
  const [device, inode, size] = [numbers(false), numbers(false), numbers(false)]
  const [mtime, ctime] = [numbers(true), numbers(true)]
  const isCopied = below(2) === 0
  return () => {
    const mtimeNs = mtime()
    return { device: device(), inode: inode(), size: size(), mtimeNs, ctimeNs: isCopied ? ctime() : mtimeNs }
  }
}

t.test('each row has its version, and no other one', (t) => {
  for (let round = 0; round < 60; round++) {
    const next = versions()
    const count = 1 + below(300)
    const rows = createVersionRows([0, 1, count][below(3)] ?? 0)
    const added = Array.from({ length: count }, next)
    for (const version of added) rows.add(version)
    const wrong = added.filter(
      (version, row) => !sameVersion(rows.at(row), version) || !rows.has(row, version),
    )
    t.strictSame(wrong, [])
    for (const [row, version] of added.entries()) {
      const other = next()
      if (rows.has(row, other) !== sameVersion(version, other)) t.fail(`row ${row} has another version`)
      for (const name of ['device', 'inode', 'size', 'mtimeNs', 'ctimeNs'] as const) {
        const changed = { ...version, [name]: BigInt.asIntN(63, version[name] + 1n) }
        if (rows.has(row, changed)) t.fail(`row ${row} has another ${name}`)
      }
    }
  }
  t.end()
})

t.test('files on one device that were written one after the other take a few bytes', (t) => {
  const rows = createVersionRows(1000)
  for (let nth = 0; nth < 1000; nth++) {
    const mtimeNs = 1_790_000_000_000_000_000n + BigInt(nth) * 2_000_000n
    rows.add({
      device: 66306n,
      inode: BigInt(5e6 + nth),
      size: BigInt(10_000 + (nth % 300)),
      mtimeNs,
      ctimeNs: mtimeNs,
    })
  }
  t.equal(rows.bytes, 1000 * 12)
  t.end()
})
