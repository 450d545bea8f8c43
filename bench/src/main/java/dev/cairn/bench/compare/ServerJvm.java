package dev.cairn.bench.compare;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A look into the JVM of a server that runs on this machine, through its local JMX connector. */
final class ServerJvm implements Closeable {
  private final JMXConnector connector;
  private final ThreadMXBean threads;
  private final String description;
  private final Map<Long, Long> allocatedByThread = new HashMap<>();

  private ServerJvm(JMXConnector connector, ThreadMXBean threads, String description) {
    this.connector = connector;
    this.threads = threads;
    this.description = description;
  }

  /** Connects to the JVM of a process. */
  static ServerJvm attach(long pid) throws IOException {
    VirtualMachine machine;
    try {
      machine = VirtualMachine.attach(Long.toString(pid));
    } catch (AttachNotSupportedException e) {
      throw new IOException("Process " + pid + " does not allow attaching to its JVM", e);
    }
    String address;
    try {
      address = machine.startLocalManagementAgent();
    } finally {
      machine.detach();
    }
    JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
    try {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      ThreadMXBean threads =
          ManagementFactory.newPlatformMXBeanProxy(
              beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
      RuntimeMXBean runtime = ManagementFactory.getPlatformMXBean(beans, RuntimeMXBean.class);
      List<GarbageCollectorMXBean> collectors =
          ManagementFactory.getPlatformMXBeans(beans, GarbageCollectorMXBean.class);
      return new ServerJvm(connector, threads, describe(runtime, collectors));
    } catch (IOException | RuntimeException e) {
      connector.close();
      throw e;
    }
  }

  private static String describe(RuntimeMXBean runtime, List<GarbageCollectorMXBean> collectors) {
    String options =
        runtime.getInputArguments().stream()
            .filter(option -> option.startsWith("-X"))
            .filter(option -> !option.startsWith("-XX:SharedArchiveFile"))
            .filter(option -> !option.startsWith("-Xlog"))
            .collect(Collectors.joining(" "));
    String names =
        collectors.stream().map(GarbageCollectorMXBean::getName).collect(Collectors.joining(", "));
    return options + " (" + names + ")";
  }

  /** Returns the options of the JVM's memory and compilers, and which collectors run. */
  String description() {
    return description;
  }

  /**
   * Returns how many bytes the threads of the JVM have allocated so far on its heap. The allocation
   * of a thread between the last look and its end is unknown and left out; the allocation by
   * looking itself is included.
   */
  long allocatedBytes() {
    long[] ids = threads.getAllThreadIds();
    long[] bytes = threads.getThreadAllocatedBytes(ids);
    for (int i = 0; i < ids.length; i++) {
      if (bytes[i] >= 0) {
        allocatedByThread.put(ids[i], bytes[i]);
      }
    }
    return allocatedByThread.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // The server has gone: there is nothing left to close.
    }
  }
}
