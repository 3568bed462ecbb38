-- What has become due since a worker last looked is found by its time. Until now every look visited
-- each endpoint that had anything in the queue, thousands of retries for later included.
create index webhook_queue_by_time
  on kernel.webhook_queue (run_at);
