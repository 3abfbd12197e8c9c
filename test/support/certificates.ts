import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import type { Test } from 'tap'

/** The files of a certificate for a name, which is its own authority, and of its key. */
export function certificateFor(
  t: Test,
  name: string,
  subject = `DNS:${name}`,
): { readonly certificate: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'halocline-certificate-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')]
  const done = spawnSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...[
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=${subject}`,
        '-out',
        certificate,
        '-keyout',
        key,
      ],
    ],
    { encoding: 'utf8' },
  )
  if (done.status !== 0) throw new Error(`openssl has failed: ${done.stderr}`)
  return { certificate, key }
}

/** Has this process trust an authority too, as `NODE_EXTRA_CA_CERTS` does from the start on. */
export function trust(t: Test, certificate: string): void {
  const before = tls.getCACertificates('default')
  t.teardown(() => tls.setDefaultCACertificates(before))
  tls.setDefaultCACertificates([...before, readFileSync(certificate, 'utf8')])
}
