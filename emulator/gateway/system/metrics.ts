/** Upper bounds of the histogram buckets, in seconds. */
const bounds = [0.01, 0.1, 0.5, 1, 5, 15, 30, 60, 120, 300];

interface Route {
  method: string;
  path: string;
  status: number;
  count: number;
  seconds: number;
  /** Number of requests whose duration was within each bound. */
  within: number[];
}

/** State of an agent server's queue. */
export interface QueueState {
  pending: number;
  running: number;
  workers: number;
}

/** Request metrics of one deployment since the control plane started. */
export class Metrics {
  readonly #routes = new Map<string, Route>();

  /** @param path - Path with placeholders instead of IDs, to limit the number of distinct paths. */
  count(method: string, path: string, status: number, seconds: number): void {
    const key = `${method} ${path} ${status}`;
    const route = this.#routes.get(key) ?? {
      method,
      path,
      status,
      count: 0,
      seconds: 0,
      within: bounds.map(() => 0),
    };
    this.#routes.set(key, route);
    route.count += 1;
    route.seconds += seconds;
    bounds.forEach((bound, place) => {
      if (seconds <= bound) route.within[place]! += 1;
    });
  }

  /** Returns the metrics in the Prometheus exposition format. */
  text({ pending, running, workers }: QueueState): string {
    const routes = [...this.#routes.values()];
    return [
      ...gauge("lg_api_workers_max", "Maximum number of active runs.", workers),
      ...gauge("lg_api_workers_active", "Number of active runs.", running),
      ...gauge(
        "lg_api_workers_available",
        "Number of runs that could start now.",
        Math.max(0, workers - running),
      ),
      ...gauge("lg_api_num_pending_runs", "Number of pending runs.", pending),
      ...gauge("lg_api_num_running_runs", "Number of active runs.", running),
      "# HELP lg_api_http_requests_total Requests.",
      "# TYPE lg_api_http_requests_total counter",
      ...routes.map((route) => `lg_api_http_requests_total{${labels(route)}} ${route.count}`),
      "# HELP lg_api_http_requests_latency_seconds Time until the response began.",
      "# TYPE lg_api_http_requests_latency_seconds histogram",
      ...routes.flatMap((route) => histogram("lg_api_http_requests_latency_seconds", route)),
      "",
    ].join("\n");
  }

  json({ pending, running, workers }: QueueState): object {
    return {
      queue: { num_pending: pending, num_running: running },
      workers: { max: workers, active: running, available: Math.max(0, workers - running) },
      http_requests: [...this.#routes.values()].map(({ method, path, status, count, seconds }) => ({
        method,
        path,
        status,
        count,
        seconds_sum: seconds,
      })),
    };
  }
}

const gauge = (name: string, help: string, value: number) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} gauge`,
  `${name} ${value}`,
];

const labels = ({ method, path, status }: Route) =>
  `method="${method}",path="${path.replaceAll(/["\\\n]/g, "_")}",status="${status}"`;

function histogram(name: string, route: Route): string[] {
  const own = labels(route);
  return [
    ...bounds.map((bound, place) => `${name}_bucket{${own},le="${bound}"} ${route.within[place]}`),
    `${name}_bucket{${own},le="+Inf"} ${route.count}`,
    `${name}_sum{${own}} ${route.seconds}`,
    `${name}_count{${own}} ${route.count}`,
  ];
}
