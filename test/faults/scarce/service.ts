import cluster from 'node:cluster'
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import { closeLostConnection } from '#app/processes/lost-connection.ts'

// A service of one process, which takes every file descriptor that it may have, and gives them back, as its supervisor is told to.
function supervise(): void {
  const child = cluster.fork()
  closeLostConnection(child, { warn: (event) => process.stdout.write(`${event}\n`) }, 'api 1')
  child.on('message', (message) => process.stdout.write(`${message}\n`))
  process.stdin.on('data', (order) => child.send(String(order).trim()))
  process.stdin.once('end', () => child.process.kill('SIGKILL'))
}

function serve(): void {
  let taken: number[] = []
  process.on('message', (order) => {
    if (order === 'take') taken = takeAll()
    for (const file of order === 'free' ? taken : []) closeSync(file)
    process.send!(`${order} done`)
  })
  const server = createServer((_request, response) => response.end('here'))
  server.listen(0, '127.0.0.1', () => process.send!(`port ${(server.address() as { port: number }).port}`))
}

function takeAll(): number[] {
  const files: number[] = []
  try {
    for (;;) files.push(openSync('/dev/null', 'r'))
  } catch {
    return files
  }
}

if (cluster.isPrimary) supervise()
else serve()
