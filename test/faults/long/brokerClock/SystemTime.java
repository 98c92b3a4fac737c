package org.apache.kafka.common.utils;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Takes the place of Kafka's own class of this name, through which a broker asks for the time: the machine's clock, and as many
 * milliseconds as a file says, looked at again and again. Durations stay as they are.
 */
class SystemTime implements Time {
  private static final long LOOK_EVERY_MS = 100;
  private static final SystemTime SYSTEM_TIME = new SystemTime();

  private volatile long aheadMs;

  private SystemTime() {
    Path file = Path.of(System.getProperty("headwater.clock"));
    Thread look = new Thread(() -> {
      while (true) {
        try {
          aheadMs = Long.parseLong(Files.readString(file).trim());
          Thread.sleep(LOOK_EVERY_MS);
        } catch (Exception error) {
          throw new IllegalStateException("the clock's file cannot be read", error);
        }
      }
    }, "clock");
    look.setDaemon(true);
    look.start();
  }

  public static SystemTime getSystemTime() {
    return SYSTEM_TIME;
  }

  @Override
  public long milliseconds() {
    return System.currentTimeMillis() + aheadMs;
  }

  @Override
  public long nanoseconds() {
    return System.nanoTime();
  }

  @Override
  public void sleep(long ms) {
    Utils.sleep(ms);
  }

  @Override
  public void waitObject(Object monitor, Supplier<Boolean> condition, long deadlineMs) throws InterruptedException {
    synchronized (monitor) {
      while (!condition.get()) {
        long leftMs = deadlineMs - milliseconds();
        if (leftMs <= 0) throw new TimeoutException("Condition not satisfied before deadline");
        TimeUnit.MILLISECONDS.timedWait(monitor, leftMs);
      }
    }
  }
}
