package dev.cairn.interop.coprocessor;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterRpcServices;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.RSRpcServices;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.mockito.Mockito;
import org.mockito.invocation.InvocationOnMock;

/**
 * Objects with the types of HBase's servers. They answer what the client or the hosts of
 * coprocessors know; every other method makes its test skipped.
 */
final class Standins {
  private Standins() {}

  /** Marks a method that a stand-in does not have. */
  private static final Object UNKNOWN = new Object();

  private static final int CALL_MILLIS = 30_000;

  private static final Map<ServerName, RegionServerThread> THREADS = new HashMap<>();

  @FunctionalInterface
  private interface Answers {
    Object of(InvocationOnMock call) throws Throwable;
  }

  private static <T> T make(Class<T> type, Answers answers) {
    return Mockito.mock(
        type,
        Mockito.withSettings()
            .stubOnly()
            .defaultAnswer(
                call -> {
                  switch (call.getMethod().getName()) {
                    case "toString":
                      return "a stand-in for " + type.getSimpleName();
                    case "hashCode":
                      return System.identityHashCode(call.getMock());
                    case "equals":
                      return call.getMock() == call.getArgument(0);
                    case "finalize":
                      return null;
                    default:
                      Object answer = answers.of(call);
                      if (answer == UNKNOWN) {
                        throw NotServed.of(
                            type.getSimpleName() + "." + call.getMethod().getName());
                      }
                      return answer;
                  }
                }));
  }

  private static ClusterMetrics metrics() throws Exception {
    try (Admin admin = Cluster.connection().getAdmin()) {
      return admin.getClusterMetrics();
    }
  }

  private static List<ServerName> servers() throws Exception {
    return List.copyOf(new TreeSet<>(metrics().getLiveServerMetrics().keySet()));
  }

  private static ServerName serverName(int number) throws Exception {
    List<ServerName> servers = servers();
    if (number >= servers.size()) {
      throw NotServed.of("another region server");
    }
    return servers.get(number);
  }

  private static List<HRegion> regions(Object table) {
    TableName name =
        table instanceof byte[] bytes ? TableName.valueOf(bytes) : (TableName) table;
    List<HRegion> all = new ArrayList<>();
    for (HRegion region : Hosts.regions()) {
      if (region.getRegionInfo().getTable().equals(name)) {
        all.add(region);
      }
    }
    return all;
  }

  private static HRegion region(byte[] name) {
    return Hosts.regions().stream()
        .filter(region -> Arrays.equals(region.getRegionInfo().getRegionName(), name))
        .findFirst()
        .orElseThrow(() -> NotServed.of("a region without coprocessors"));
  }

  /** Returns the mini cluster of a test. */
  static MiniHBaseCluster cluster(HBaseTestingUtility test) {
    return make(
        MiniHBaseCluster.class,
        call ->
            switch (call.getMethod().getName()) {
              case "getConfiguration", "getConf" -> test.getConfiguration();
              case "getClusterMetrics" -> metrics();
              case "getRegions", "findRegionsForTable" -> regions(call.getArgument(0));
              case "getRegionServer" ->
                  server(serverName(call.getArgument(0) instanceof Integer n ? n : 0));
              case "getMaster" -> master();
              case "getServerHoldingMeta", "getServerHoldingRegion" -> serverName(0);
              case "getServerWithMeta" -> 0;
              case "getNumLiveRegionServers" -> 1;
              case "getRegionServerThreads", "getLiveRegionServerThreads" -> threads();
              case "startRegionServer" -> thread(Cluster.startServer());
              case "killRegionServer" -> {
                Cluster.kill(call.getArgument(0));
                yield null;
              }
              case "isDistributedCluster", "waitForActiveAndReadyMaster" -> true;
              case "shutdown", "close" -> {
                Cluster.stop(null);
                yield null;
              }
              case "waitUntilShutDown", "join" -> null;
              case "flushcache" -> {
                Cluster.flush(call.getArguments().length == 0 ? null : (TableName) call.getArgument(0));
                yield null;
              }
              default -> UNKNOWN;
            });
  }

  /** Returns the servers with their latest reports, at each look at it, as HBase's map does. */
  private static Map<ServerName, ServerMetrics> onlineServers() {
    return new AbstractMap<>() {
      @Override
      public Set<Map.Entry<ServerName, ServerMetrics>> entrySet() {
        try {
          return metrics().getLiveServerMetrics().entrySet();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  private static List<RegionServerThread> threads() throws Exception {
    List<RegionServerThread> all = new ArrayList<>();
    for (ServerName one : servers()) {
      all.add(thread(one));
    }
    return all;
  }

  /** Returns a thread that lives, because tests leave out servers whose threads do not. */
  private static synchronized RegionServerThread thread(ServerName server) throws IOException {
    RegionServerThread thread = THREADS.get(server);
    if (thread == null) {
      thread = new RegionServerThread(server(server), THREADS.size());
      thread.setDaemon(true);
      thread.start();
      THREADS.put(server, thread);
    }
    return thread;
  }

  /** Returns the first region server. */
  static HRegionServer server() throws Exception {
    return server(serverName(0));
  }

  private static HRegionServer server(ServerName name) {
    return make(
        HRegionServer.class,
        call ->
            switch (call.getMethod().getName()) {
              case "getServerName" -> name;
              case "getRSRpcServices" -> serverCalls(name);
              case "run" -> {
                while (servers().contains(name)) {
                  TimeUnit.MILLISECONDS.sleep(100);
                }
                yield null;
              }
              case "getOnlineRegion" -> region(call.getArgument(0));
              case "getRegions" ->
                  call.getArguments().length == 0 ? Hosts.regions() : regions(call.getArgument(0));
              case "getOnlineRegionsLocalContext" -> (Collection<HRegion>) Hosts.regions();
              case "getRegionServerCoprocessorHost" -> Hosts.ofServer();
              case "isAborted", "isStopped", "isStopping" -> !servers().contains(name);
              case "getConfiguration" -> Cluster.connection().getConfiguration();
              default -> UNKNOWN;
            });
  }

  /** Returns the master. */
  static HMaster master() {
    return make(
        HMaster.class,
        call -> {
          try (Admin admin = Cluster.connection().getAdmin()) {
            return ofMaster(call, admin);
          }
        });
  }

  private static Object ofMaster(InvocationOnMock call, Admin admin) throws Exception {
    return switch (call.getMethod().getName()) {
      case "getServerName" -> metrics().getMasterName();
      case "getMasterCoprocessorHost" -> Hosts.ofMaster();
      case "getLoadedCoprocessors" -> new TreeSet<>(CoprocessorHost.getLoadedCoprocessors()).toString();
      case "getMasterCoprocessors" -> {
        TreeSet<String> names = new TreeSet<>(metrics().getMasterCoprocessorNames());
        yield names.toArray(new String[0]);
      }
      case "getClusterMetrics" -> metrics();
      case "isActiveMaster", "isInitialized" -> true;
      case "isAborted", "isStopped" -> false;
      case "getProcedures" -> {
        admin.getProcedures();
        yield List.of(); // a test looks at its hooks alone
      }
      case "getLocks" -> {
        admin.getLocks();
        yield List.of();
      }
      case "abortProcedure" -> admin.abortProcedure(call.getArgument(0), call.getArgument(1));
      case "getMasterRpcServices" -> masterCalls();
      case "balance" -> admin.balance(BalanceRequest.defaultInstance());
      case "balanceSwitch" -> admin.balancerSwitch(call.getArgument(0), true);
      case "getServerManager" ->
          make(
              ServerManager.class,
              inner ->
                  inner.getMethod().getName().equals("getOnlineServers")
                      ? onlineServers()
                      : UNKNOWN);
      case "getConfiguration" -> Cluster.connection().getConfiguration();
      default -> UNKNOWN;
    };
  }

  /** A call by the network. */
  @FunctionalInterface
  private interface Remote {
    Object of(BlockingRpcChannel server) throws Exception;
  }

  private static Object call(ServerName server, Remote remote) throws Exception {
    try (RpcClient client =
        RpcClientFactory.createClient(
            Cluster.connection().getConfiguration(), HConstants.CLUSTER_ID_DEFAULT)) {
      return remote.of(client.createBlockingRpcChannel(server, User.getCurrent(), CALL_MILLIS));
    }
  }

  /** Returns the services of the master, which call it by the network. */
  private static MasterRpcServices masterCalls() {
    return make(
        MasterRpcServices.class,
        call ->
            call(
                metrics().getMasterName(),
                channel -> {
                  MasterService.BlockingInterface master = MasterService.newBlockingStub(channel);
                  return switch (call.getMethod().getName()) {
                    case "getTableDescriptors" ->
                        master.getTableDescriptors(null, call.getArgument(1));
                    case "getTableNames" -> master.getTableNames(null, call.getArgument(1));
                    case "moveRegion" -> master.moveRegion(null, call.getArgument(1));
                    default -> UNKNOWN;
                  };
                }));
  }

  /** Returns the services of a region server, which call it by the network. */
  private static RSRpcServices serverCalls(ServerName server) {
    return make(
        RSRpcServices.class,
        call ->
            call.getMethod().getName().equals("getOnlineRegion")
                ? call(
                    server,
                    channel ->
                        AdminService.newBlockingStub(channel)
                            .getOnlineRegion(null, call.getArgument(1)))
                : UNKNOWN);
  }

  /** Returns a mini HDFS whose files are local ones. */
  static MiniDFSCluster files() {
    return make(
        MiniDFSCluster.class,
        call ->
            switch (call.getMethod().getName()) {
              case "getFileSystem" -> localFiles(Path.of("dfs").toAbsolutePath());
              case "shutdown" -> null;
              default -> UNKNOWN;
            });
  }

  /** Returns a file system whose root is a local folder. */
  private static DistributedFileSystem localFiles(Path root) throws Exception {
    Files.createDirectories(root);
    FileSystem local = FileSystem.getLocal(new Configuration());
    return Mockito.mock(
        DistributedFileSystem.class,
        Mockito.withSettings()
            .stubOnly()
            .defaultAnswer(
                call -> {
                  Method method = call.getMethod();
                  if (method.getName().equals("getUri")) {
                    return root.toUri();
                  }
                  try {
                    return FileSystem.class
                        .getMethod(method.getName(), method.getParameterTypes())
                        .invoke(local, call.getRawArguments());
                  } catch (NoSuchMethodException e) {
                    throw NotServed.of("DistributedFileSystem." + method.getName());
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                }));
  }
}
