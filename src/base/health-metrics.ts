import { Gauge, type Registry } from '@prometheus-io/client'

interface Health {
  // Undefined: this process has no worker.
  workerStatus(): string | undefined
  writes: { failing(): string | undefined }
}

// Asked when somebody asks us, and answered without the database.
export function addHealthGauges(registry: Registry, { workerStatus, writes }: Health): void {
  new Gauge({
    name: 'ingot_worker_status',
    help: '1 for what the worker of this process does: starting, running, standing still or paused',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      this.reset()
      const status = workerStatus()
      if (status !== undefined) this.set({ status }, 1)
    },
  })
  new Gauge({
    name: 'ingot_writes_failing',
    help: '1 while writes fail although the database answers, as on a full disk',
    registers: [registry],
    collect() {
      this.set(writes.failing() === undefined ? 0 : 1)
    },
  })
}
