package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.server.bulkload.SourceFiles;
import dev.cairn.server.bulkload.StagingDirectory;
import dev.cairn.server.regionserver.admin.ServerEvents;
import dev.cairn.server.regionserver.hosted.ReferencedRows;
import dev.cairn.server.regionserver.hosted.RegionFactory;
import dev.cairn.server.regionserver.hosted.RegionServices;
import dev.cairn.server.regionserver.hosted.TableDescriptors;
import dev.cairn.server.regionserver.logs.ServerLogs;
import dev.cairn.server.regionserver.logs.WalSplits.WalSplitter;
import dev.cairn.server.regionserver.maintenance.LoadSplits.LoadMeter;
import dev.cairn.server.regionserver.membership.MasterLink;
import dev.cairn.server.regionserver.quota.ThrottleRefresh.QuotaSource;
import dev.cairn.server.regionserver.replica.ReplicaLink;
import dev.cairn.server.regionserver.report.LoadReports;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.traffic.Traffic;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The world around a region server. */
public record RegionServerContext(Files files, Cluster cluster, Memory memory, Calls calls) {
  /**
   * The logs, regions and tables in the root directory.
   *
   * @param logs the logs that the regions write; closed with the server
   * @param walSplitter splits logs of dead servers for the master
   * @param factories opens regions whose memstores share the given room
   * @param descriptors knows the tables
   * @param staging holds files during a bulk load
   * @param sourceFiles moves users' files into {@code staging}
   * @param archiveMillis the minimum time for which archived store files are kept
   */
  public record Files(
      ServerLogs logs,
      WalSplitter walSplitter,
      Function<MemStoreRoom, RegionFactory> factories,
      TableDescriptors descriptors,
      StagingDirectory staging,
      SourceFiles sourceFiles,
      long archiveMillis) {}

  /**
   * The other servers of the cluster, and the server's place among them.
   *
   * @param master the way to the active master
   * @param quotas the way to {@code hbase:quota} on another server
   * @param references the way to the rows of other tables
   * @param replicas the way to the servers of replicas
   * @param lease tells whether the server's regions may be elsewhere
   * @param registration the server's registration with the cluster, which the server ends last when
   *     it stops, and first when it aborts
   * @param infoPort the port of the web page, 0 if there is none
   */
  public record Cluster(
      MasterLink master,
      QuotaSource quotas,
      ReferencedRows references,
      ReplicaLink replicas,
      Lease lease,
      Registration registration,
      int infoPort) {}

  /**
   * The memory of the process.
   *
   * @param heap the heap
   * @param account the account from which calls and scanners borrow
   * @param blockCacheBytes returns the memory that cached blocks may take
   * @param feeds the memory of the changes that regions keep for their replicas
   */
  public record Memory(
      LoadReports.Heap heap,
      MemoryAccount account,
      LongSupplier blockCacheBytes,
      FeedMemory feeds) {}

  /**
   * What the calls of clients meet.
   *
   * @param slowLog the record of the slow and large calls of the server's port
   * @param filterClasses finds the classes of filters and comparators
   * @param firstScannerId where scanner ids begin, different for each start
   * @param traffic records where the calls go
   * @param load measures the load of calls
   * @param interceptors stand before all methods of all services of the process
   * @param hooks the server's own hooks
   */
  public record Calls(
      SlowLog slowLog,
      ClassLoader filterClasses,
      long firstScannerId,
      Traffic traffic,
      LoadMeter load,
      List<CallInterceptor> interceptors,
      Hooks hooks) {}

  /**
   * The hooks of a server, apart from those of its regions.
   *
   * @param events hears of what happens to the server as a whole
   * @param services the services that hooks bring
   * @param names returns the sorted names of coprocessors that the server reports to the master
   */
  public record Hooks(ServerEvents events, RegionServices services, Supplier<Set<String>> names) {
    /** The hooks of a server that has none. */
    public static final Hooks NONE = new Hooks(ServerEvents.NONE, RegionServices.NONE, Set::of);
  }

  /** The server's registration with the cluster. */
  @FunctionalInterface
  public interface Registration {
    /**
     * Ends the registration, if it has not ended. Blocks for a few seconds at most.
     *
     * @return false if others may already have declared the server dead: its registration or its
     *     lease was over
     */
    boolean end();
  }

  /**
   * Tells how long the server may answer clients.
   *
   * @param isOver tells whether the server's session may be over, so that its regions may be
   *     elsewhere; called for each answer
   * @param endsIfOver tells the same for the master. If the lease is over, no earlier request to
   *     ZooKeeper renews it
   */
  public record Lease(BooleanSupplier isOver, BooleanSupplier endsIfOver) {}
}
