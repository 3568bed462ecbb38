-- What wrk sends, by the first argument after `--`: one payment or one page out of as many as the
-- second says, picked at random, or a new link or payout under a key that nobody used before.
local kind, total, made = '', 0, 0

function init(arguments)
  kind = arguments[1]
  total = tonumber(arguments[2])
  math.randomseed(os.time() + total)
  run = tostring(math.random(1000000000)) .. tostring(os.time())
end

-- As bench/data.ts makes them.
local function paymentId(number)
  return string.format('018f0000-0000-7000-8000-%012d', number)
end

function request()
  if kind == 'payment' then
    return wrk.format('GET', wrk.path .. '/' .. paymentId(math.random(total)))
  end
  if kind == 'page' then
    return wrk.format('GET', wrk.path .. '&starting_after=' .. paymentId(math.random(101, total)))
  end
  made = made + 1
  wrk.headers['Content-Type'] = 'application/json'
  wrk.headers['Idempotency-Key'] = run .. '-' .. made
  if kind == 'payout' then
    return wrk.format('POST', wrk.path, wrk.headers,
      '{"amount":1,"currency":"NGN","destinationType":"service_account"}')
  end
  return wrk.format('POST', wrk.path, wrk.headers,
    '{"title":"Order 1001","currency":"NGN","amount":1250.5}')
end
