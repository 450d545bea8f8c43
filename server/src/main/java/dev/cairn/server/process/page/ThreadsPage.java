package dev.cairn.server.process.page;

import dev.cairn.server.page.Endpoint;
import dev.cairn.server.page.Facts;
import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.page.WebParts;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The threads of the process, as a page and as a stack dump. Stateless. */
public final class ThreadsPage {
  private ThreadsPage() {}

  public static WebParts parts() {
    PageInfo info =
        PageInfo.of(
            "threads",
            "Threads",
            MenuGroup.PROCESS,
            "The threads with their states and processor times; links to dumps.");
    return new WebParts(
        List.of(PageSource.of(info, request -> page())),
        List.of(
            new Endpoint(
                "/stacks",
                "A stack dump of all threads",
                request -> new Endpoint.Content("text/plain", stacks(threads())))),
        List.of());
  }

  private static Page page() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    List<ThreadInfo> threads = threads();
    return Page.of(
        "Threads",
        Table.of("threads", "Threads", threads)
            .column("name", "Thread", Kind.NAME, thread -> Value.name(thread.getThreadName()))
            .text("state", "State", thread -> thread.getThreadState().name())
            .column(
                "cpuMillis",
                "Processor time",
                Kind.MILLIS,
                thread -> {
                  long nanos = bean.getThreadCpuTime(thread.getThreadId());
                  return nanos < 0
                      ? Value.NONE
                      : Value.millis(TimeUnit.NANOSECONDS.toMillis(nanos));
                })
            .column(
                "at",
                "At",
                Kind.NAME,
                thread ->
                    Arrays.stream(thread.getStackTrace())
                        .findFirst()
                        .map(frame -> Value.name(frame.toString()))
                        .orElse(Value.NONE))
            .sortedBy("-cpuMillis")
            .build(),
        new Facts(
            "dumps",
            "Dumps",
            List.of(
                new Fact(
                    "stacks",
                    "The stacks of all threads",
                    new Value.Link(Value.name("/stacks"), "stacks", Map.of())),
                new Fact(
                    "dump",
                    "All pages as text",
                    new Value.Link(Value.name("/dump"), "dump", Map.of())))));
  }

  private static List<ThreadInfo> threads() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    return Arrays.stream(bean.dumpAllThreads(false, false))
        .filter(Objects::nonNull)
        .sorted(Comparator.comparing(ThreadInfo::getThreadName))
        .toList();
  }

  private static String stacks(List<ThreadInfo> threads) {
    StringBuilder text = new StringBuilder();
    for (ThreadInfo thread : threads) {
      text.append('"').append(thread.getThreadName()).append("\" ");
      text.append(thread.getThreadState());
      Optional.ofNullable(thread.getLockInfo())
          .map(LockInfo::toString)
          .ifPresent(lock -> text.append(" on ").append(lock));
      Optional.ofNullable(thread.getLockOwnerName())
          .ifPresent(owner -> text.append(" held by \"").append(owner).append('"'));
      text.append('\n');
      for (StackTraceElement frame : thread.getStackTrace()) {
        text.append("    at ").append(frame).append('\n');
      }
      text.append('\n');
    }
    return text.toString();
  }
}
