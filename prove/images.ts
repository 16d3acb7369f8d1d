import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Builds and runs images with buildah and podman, in a store of its own. The base comes from Debian's packages, because a
// public registry of images may not be reachable.
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SUITE = 'bookworm'
const BASE = 'localhost/base:proof'
// Few enough for a machine that lets no process raise its limits.
const LIMITS = ['--ulimit', 'nofile=1024:4096', '--ulimit', 'nproc=2048:4096']
const CLOSED = [
  '--network=host',
  '--read-only',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--no-healthcheck',
]

export function imageToolsMissing(): string | undefined {
  if (process.geteuid?.() !== 0) return 'it needs root'
  const lacks = (one: string) => spawnSync(one, ['--version']).status !== 0
  const missing = ['debootstrap', 'buildah', 'podman'].filter(lacks)
  // podman itself does not bring one where only what it needs is installed.
  if (['crun', 'runc'].every(lacks)) missing.push('crun')
  return missing.length > 0 ? `${missing.join(', ')} not installed` : undefined
}

export class Images {
  readonly #folder: string
  readonly #store: string[]
  #runtime: string[] = []

  // Layers are mounted over one another where the kernel lets us, else copied.
  constructor(folder: string) {
    this.#folder = folder
    const at = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
    const overlay = spawnSync('buildah', ['--storage-driver=overlay', ...at, 'info']).status === 0
    this.#store = [`--storage-driver=${overlay ? 'overlay' : 'vfs'}`, ...at]
  }

  makeBase(): void {
    const system = join(this.#folder, 'base')
    run('debootstrap', ['--variant=minbase', SUITE, system])
    run('tar', ['-C', system, '-cf', `${system}.tar`, '.'])
    this.podman(['import', `${system}.tar`, BASE])
  }

  // `target`: undefined for the last stage.
  build(name: string, target?: string): void {
    const words = ['build', '--isolation=chroot', '--layers', '--format=docker', `--build-arg=BASE=${BASE}`]
    run('buildah', [
      ...this.#store,
      ...words,
      ...this.#secrets(),
      ...(target === undefined ? [] : [`--target=${target}`]),
      `--tag=${name}`,
      ROOT,
    ])
  }

  // How npm reaches its registry on this machine.
  #secrets(): string[] {
    const asked = (name: string) =>
      spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' }).stdout.trim()
    const npmrc = join(this.#folder, 'npmrc')
    writeFileSync(npmrc, `registry=${asked('registry')}\n`, { mode: 0o600 })
    // npm's setting, or Node's.
    const ca = [asked('cafile'), process.env.NODE_EXTRA_CA_CERTS ?? ''].find((file) => existsSync(file))
    return [`--secret=id=npmrc,src=${npmrc}`, ...(ca ? [`--secret=id=ca,src=${ca}`] : [])]
  }

  // The machine's usual runtime may need a newer kernel interface than there is.
  chooseRuntime(image: string): void {
    const attempt = () => this.#try(['run', '--rm', ...CLOSED, ...LIMITS, image, '--version'])
    const usual = attempt()
    if (usual.status === 0) return
    this.#runtime = ['--runtime=runc', '--cgroup-manager=cgroupfs']
    const other = attempt()
    if (other.status === 0) return
    const [why, whyNot] = [usual, other].map(({ stderr }) => stderr.trim().slice(-500))
    throw new Error(`podman can run no container here (${why}), also not with runc (${whyNot})`)
  }

  #try(words: readonly string[]) {
    return spawnSync('podman', [...this.#global(), ...words], { encoding: 'utf8' })
  }

  #global(): string[] {
    return [...this.#store, ...this.#runtime]
  }

  podman(words: readonly string[]): string {
    return run('podman', [...this.#global(), ...words])
  }

  inspect(image: string): ImageFacts {
    return JSON.parse(this.podman(['inspect', image]))[0]
  }

  // Non-root, without capabilities, on a root filesystem that is read-only.
  start(
    name: string,
    image: string,
    settings: Record<string, string>,
    volumes: Record<string, string>,
  ): void {
    this.podman([
      'run',
      '--detach',
      `--name=${name}`,
      ...CLOSED,
      ...LIMITS,
      ...given(settings, volumes),
      image,
    ])
  }

  // One command in a container of its own; what it prints.
  command(
    image: string,
    words: string[],
    settings: Record<string, string>,
    volumes: Record<string, string>,
  ): string {
    return this.podman(['run', '--rm', ...CLOSED, ...LIMITS, ...given(settings, volumes), image, ...words])
  }

  // A line of shell instead of the program, with nothing mounted; what it prints.
  shell(image: string, line: string): string {
    return this.podman(['run', '--rm', '--entrypoint=/bin/sh', ...CLOSED, ...LIMITS, image, '-c', line])
  }

  // The exit code after SIGTERM.
  stop(name: string): number {
    this.podman(['stop', '--time=150', name])
    return JSON.parse(this.podman(['inspect', name]))[0].State.ExitCode
  }

  remove(): void {
    spawnSync('podman', [...this.#global(), 'rm', '--all', '--force', '--time=0'])
    spawnSync('buildah', [...this.#store, 'rm', '--all'])
    spawnSync('podman', [...this.#global(), 'image', 'rm', '--all', '--force'])
    // The store is mounted on itself, which some machines keep until they are told.
    spawnSync('umount', ['--recursive', join(this.#folder, 'store/overlay')])
  }
}

interface ImageFacts {
  Size: number
  Config: { User: string; StopSignal: string; Volumes: object; Env: string[] }
  Healthcheck?: { Test: string[] }
  History: { created_by: string }[]
}

function given(settings: Record<string, string>, volumes: Record<string, string>): string[] {
  return [
    ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
    ...Object.entries(volumes).map(([from, to]) => `--volume=${from}:${to}`),
  ]
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`)
  return stdout
}
