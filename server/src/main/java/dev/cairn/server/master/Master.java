package dev.cairn.server.master;

import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.server.catalog.ClusterLevel;
import dev.cairn.server.catalog.DataDamage;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.CoordinationException;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.chore.Switches;
import dev.cairn.server.master.healing.ReportEntry;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.loop.MasterThreads;
import dev.cairn.server.master.members.LeaderWatch;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.master.store.MasterEpoch;
import dev.cairn.server.master.store.MasterLevel;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.RegionMasterStore;
import dev.cairn.server.master.store.RootDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A master: waits until it is the active one, then leads. This class wires the parts; {@link
 * MasterStartup} brings a cluster up.
 *
 * <p>Runs in one of three ways: with its own threads ({@link #start}), or, in a simulation, with
 * the caller's lanes and tasks, or with the caller's lanes and {@link #poll}. Thread-safe except
 * {@link #poll}.
 */
public final class Master implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Master.class);

  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(10);

  private final ServerName self;
  private final int infoPort;
  private final MasterContext context;
  private final MasterLoop loop;
  private final LeaderWatch leaderWatch;
  private final Optional<MasterThreads> threads;
  private final Optional<Thread> driver;

  private final CompletableFuture<Void> initialized = new CompletableFuture<>();

  /** Done when it leads; cancelled if it is closed before. */
  private final CompletableFuture<Void> leading = new CompletableFuture<>();

  /** Done when clients are answered; cancelled if it is closed before. */
  private final CompletableFuture<Void> answering = new CompletableFuture<>();

  /** Owned by the loop; read by services through {@link #active}. */
  private volatile Optional<ActiveMaster> active = Optional.empty();

  private volatile Optional<MasterStore> store = Optional.empty();

  /**
   * The hooks of the site's coprocessors, from just before the master becomes active. Written under
   * its lock.
   */
  private volatile MasterHooks hooks = MasterHooks.NONE;

  private final Object hooksLock = new Object();

  /** True if no hooks may begin any more. Guarded by {@code hooksLock}. */
  private boolean hooksEnded;

  /** Owned by the loop. */
  private boolean activating;

  /** True if it has given up because another master may lead. */
  private volatile boolean replaced;

  private volatile boolean closed;

  private Master(
      ServerName self,
      int infoPort,
      MasterContext context,
      MasterLoop.Lanes lanes,
      Optional<MasterThreads> threads,
      Optional<ThreadFactory> driverThreads,
      Optional<Executor> turns) {
    this.self = self;
    this.infoPort = infoPort;
    this.context = context;
    this.loop = new MasterLoop(context.clock(), lanes, this::broken, turns);
    this.leaderWatch =
        new LeaderWatch(self, loop, context.calls(), context.coordination()::unregisterMaster);
    this.threads = threads;
    this.driver = driverThreads.map(factory -> factory.newThread(this::drive));
  }

  /**
   * Creates a master with threads of its own; {@link #start} starts it.
   *
   * @param self where its RPC server listens
   * @param infoPort the port of its web page, 0 if it has none
   */
  public static Master create(
      ServerName self, int infoPort, MasterContext context, ThreadFactory threadFactory) {
    MasterThreads threads = new MasterThreads(threadFactory);
    return new Master(
        self,
        infoPort,
        context,
        threads,
        Optional.of(threads),
        Optional.of(threadFactory),
        Optional.empty());
  }

  /**
   * Creates a master without threads. {@link #start} starts it.
   *
   * @param lanes run the actions that wait; they outlive the master
   * @param turns runs the tasks that handle events, none of which waits
   */
  public static Master create(
      ServerName self,
      int infoPort,
      MasterContext context,
      MasterLoop.Lanes lanes,
      Executor turns) {
    return new Master(
        self, infoPort, context, lanes, Optional.empty(), Optional.empty(), Optional.of(turns));
  }

  /** Creates a master whose owner polls it. */
  static Master simulated(ServerName self, MasterContext context, MasterLoop.Lanes lanes) {
    return new Master(
        self, 0, context, lanes, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Registers as a master. Returns at once; the rest follows by itself. */
  public void start() throws IOException {
    driver.ifPresent(Thread::start);
    context
        .coordination()
        .listen(
            new Coordination.Listener() {
              @Override
              public void changed(ClusterState state) {
                loop.post(() -> membersChanged());
              }

              @Override
              public void sessionLost(String reason) {
                giveWay(reason, new IOException(reason));
              }
            });
    context.coordination().registerMaster(self, infoPort);
    loop.post(this::membersChanged);
  }

  /** Tells whether it leads and clients are answered. */
  public boolean isInitialized() {
    return active.map(ActiveMaster::isInitialized).orElse(false);
  }

  /** Returns a future that is done when it leads, and the system's own tables are there. */
  public CompletableFuture<Void> initialized() {
    return initialized.copy();
  }

  /** Returns a future that is done when it leads, or is closed. */
  public CompletableFuture<Void> leading() {
    return leading;
  }

  /** Returns a future that is done when clients are answered, or it is closed. */
  public CompletableFuture<Void> answering() {
    return answering;
  }

  /** Tells whether this master knows of no other one that leads. */
  public boolean mayLead() {
    return context.coordination().state().activeMaster().map(self::equals).orElse(true);
  }

  /** Returns this server's name. */
  public ServerName self() {
    return self;
  }

  /**
   * Accepts no more procedures, and waits for the running ones: they need the region servers, and
   * Apache HBase cannot continue them.
   *
   * @return whether none is left; if some are, they go on with the next start
   */
  public boolean endProcedures(Duration patience) {
    try {
      try {
        loop.<Boolean>request(this::endProcedures, patience);
      } catch (IOException e) {
        LOG.info("Not waiting any longer for the procedures that are under way: {}", e.toString());
      }
      List<ProcedureRecord> left = loop.request(this::unfinished, ANSWER_PATIENCE);
      for (ProcedureRecord record : left) {
        LOG.warn(
            "Procedure {} ({}) is not done. It continues at the next start; until then, Apache"
                + " HBase cannot use this folder",
            record.id(),
            record.kind());
      }
      return left.isEmpty();
    } catch (IOException e) {
      LOG.warn("Running procedures continue at the next start: {}", e.toString());
      return false;
    }
  }

  private void endProcedures(CompletableFuture<Boolean> ended) {
    active.ifPresentOrElse(
        leader -> leader.procedures().end(() -> ended.complete(true)), () -> ended.complete(true));
  }

  private void unfinished(CompletableFuture<List<ProcedureRecord>> future) {
    future.complete(active.map(leader -> leader.procedures().unfinished()).orElse(List.of()));
  }

  /**
   * Returns the regions that should be open but are not served, temporarily or permanently. Returns
   * none before the master leads.
   *
   * @throws IOException if the master does not answer in time
   */
  public List<Assignments.Missed> regionsNotOpen() throws IOException {
    return loop.request(
        future ->
            future.complete(active.map(leader -> leader.assignments().notOpen()).orElse(List.of())),
        ANSWER_PATIENCE);
  }

  /**
   * Returns the error message of each table whose descriptor could not be read; none if this master
   * does not lead.
   */
  public List<String> damagedTables() throws IOException {
    return loop.request(
        future -> future.complete(active.map(leader -> leader.tables().damage()).orElse(List.of())),
        ANSWER_PATIENCE);
  }

  /**
   * Returns the damage to the catalog that masters found, and their repairs, oldest first; none if
   * this master does not lead.
   */
  public List<ReportEntry> report() throws IOException {
    return loop.request(
        future ->
            future.complete(active.map(leader -> leader.report().entries()).orElse(List.of())),
        ANSWER_PATIENCE);
  }

  /**
   * Asks the loop whether archived files may be deleted: this master leads, and no administrator
   * forbids deletion.
   */
  public boolean askForCleaning() {
    try {
      return loop.<Boolean>request(
          future ->
              future.complete(
                  active
                      .filter(ActiveMaster::isInitialized)
                      .map(leader -> leader.switches().isOn(Switches.Switch.CLEANER_CHORE))
                      .orElse(false)),
          ANSWER_PATIENCE);
    } catch (IOException e) {
      LOG.debug("Nothing is cleaned now: {}", e.toString());
      return false;
    }
  }

  /** Asks for a major compaction of every MOB family, if it leads; returns at once. */
  public void compactMobFamilies() {
    loop.post(
        () ->
            active
                .filter(ActiveMaster::isInitialized)
                .ifPresent(leader -> leader.mobCompactions().request()));
  }

  /** Stops without a notice to the cluster; running procedures continue at the next start. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    leading.cancel(false);
    answering.cancel(false);
    loop.close();
    driver.ifPresent(Thread::interrupt);
    threads.ifPresent(MasterThreads::close);
    endHooks();
    store.ifPresent(
        open -> {
          try {
            open.close();
          } catch (IOException e) {
            LOG.warn("The master's store could not be closed; its log has everything", e);
          }
        });
    try {
      context.fenced().release();
    } catch (IOException e) {
      LOG.info("The next master deletes what this one leaves in .tmp: {}", e.toString());
    }
  }

  /** Returns the loop that owns the state. Any thread may call this. */
  public MasterLoop loop() {
    return loop;
  }

  /** Returns the master's context: the world outside. Any thread may call this. */
  public MasterContext context() {
    return context;
  }

  /** Returns the port of the web page; 0 if there is none. Any thread may call this. */
  public int infoPort() {
    return infoPort;
  }

  /**
   * Returns the active master; empty if this one does not lead. Any thread may call this, but only
   * the loop may use the result.
   */
  public Optional<ActiveMaster> active() {
    return active;
  }

  /** Returns the hooks of coprocessors; none before it leads. Any thread may call this. */
  public MasterHooks hooks() {
    return hooks;
  }

  /** Runs the events that have come in. Returns whether there were any. */
  boolean poll() {
    return loop.poll();
  }

  private void drive() {
    try {
      while (!loop.isClosed()) {
        loop.pollAndWait();
      }
    } catch (InterruptedException e) {
      // Closed; nothing is left to do.
    }
  }

  private void broken(Throwable cause) {
    loop.close();
    if (cause instanceof FencedException) {
      giveWay("Another master has taken over: " + cause.getMessage(), cause);
    } else if (cause instanceof MasterLoop.ActionError) {
      context.lifecycle().abort(cause.getMessage(), cause);
    } else {
      context.lifecycle().abort("The master failed on an event: " + cause, cause);
    }
  }

  /** Aborts because another master may lead. */
  private void giveWay(String reason, Throwable cause) {
    replaced = true;
    context.lifecycle().abort(reason, cause);
  }

  /**
   * Tells, once this master has given up, whether it did so because another master leads or may
   * lead. Nothing is wrong with its process then, and it may restart as a backup master. Waits for
   * ZooKeeper.
   */
  public boolean isReplaced() {
    if (replaced || context.coordination().lease().isOver()) {
      return true;
    }
    try {
      // The next master may have caused the failure.
      return !context.coordination().readActiveMaster().equals(Optional.of(self));
    } catch (IOException e) {
      return context.coordination().lease().isOver();
    }
  }

  private void membersChanged() {
    ClusterState state = context.coordination().state();
    boolean leads = state.activeMaster().filter(self::equals).isPresent();
    if (active.isPresent() && !leads && state.activeMaster().isPresent()) {
      String reason = "Another master leads: " + state.activeMaster().get();
      giveWay(reason, new IOException(reason));
    } else if (active.isPresent()) {
      active.get().update(state);
    } else if (leads && !activating) {
      activating = true;
      LOG.info("{} is the active master", self);
      loop.perform(Lane.FILES, this::prepareRoot, this::open, this::cannotLead);
    }
    leaderWatch.update(state);
  }

  private void cannotLead(IOException cause) {
    if (cause instanceof CoordinationException || cause instanceof FencedException) {
      giveWay("The master cannot lead: " + cause.getMessage(), cause);
      return;
    }
    context
        .lifecycle()
        .abort(
            DataDamage.isPermanent(cause)
                ? DataDamage.message("The master cannot lead", cause)
                : "The master cannot lead: " + cause.getMessage(),
            cause);
  }

  private String prepareRoot() throws IOException {
    return rootDirectory().prepare();
  }

  private RootDirectory rootDirectory() {
    return new RootDirectory(context.storage(), context.ids(), context.schemas().tracker());
  }

  /** Tells the cluster about itself and opens the store, side by side; then leads. */
  private void open(String clusterId) {
    CompletableFuture<Void> published = new CompletableFuture<>();
    loop.perform(
        Lane.COORDINATION,
        () -> {
          context.coordination().publishClusterId(clusterId);
          context.coordination().publishClusterUp(true);
        },
        Completion.of(() -> published.complete(null), this::cannotLead));
    loop.perform(
        Lane.FILES,
        this::openStore,
        opened -> published.thenRun(() -> loop.post(() -> startHooks(opened))),
        this::cannotLead);
  }

  /** Reads everything that the first decision needs. */
  private record Opened(
      MasterStore store, long epoch, ActiveMaster.Stored stored, List<ServerGroup> groups) {}

  /**
   * Takes over from the masters before. A master that pauses at any point here, and resumes after
   * another one has taken over, changes nothing:
   *
   * <ol>
   *   <li>It makes its fence, and then asks ZooKeeper whether it leads. So a master that becomes
   *       active after the answer finds the fence, and chooses a higher epoch.
   *   <li>It lists the logs of the store before it asks. So it does not seal the log of a later
   *       master.
   *   <li>It begins its own log after it has asked. So a later master finds that log, or {@link
   *       FencedStorage#takeOver} finds the later master's fence and fails.
   *   <li>It writes to the store only after it has begun that log. A later master either has sealed
   *       the log by then, or reads the writes.
   * </ol>
   */
  private Opened openStore() throws IOException {
    FencedStorage fenced = context.fenced();
    // The fences have the last epoch even if the store was lost and the clock was set back.
    long epoch = context.clock().currentTimeMillis();
    epoch = Math.max(epoch, fenced.latestEpoch() + 1);
    epoch = Math.max(epoch, RegionMasterStore.latestEpoch(context.storage()) + 1);
    checkLeads(); // A master that slept before this point leaves no fence.
    fenced.claim(epoch);
    MasterStore opened = context.store().open(epoch, this::checkLeads);
    store = Optional.of(opened);
    ClusterLevel level = context.members().level();
    MasterLevel.check(opened, level);
    long least = MasterEpoch.next(opened, epoch);
    if (least > epoch) { // the fences were lost and the clock was set back
      epoch = claimAgain(fenced, least);
    }
    try {
      fenced.takeOver();
    } catch (FencedException e) {
      // Of a master that was replaced and did not know it when it made its fence; or of a later
      // one.
      epoch = claimAgain(fenced, fenced.latestEpoch() + 1);
      fenced.takeOver();
    }
    MasterEpoch.begin(opened, epoch);
    MasterLevel.begin(opened, level);
    rootDirectory().createMeta(TableFiles.of(fenced), context.schemas().metaReplicas());
    List<ServerGroup> groups =
        context.groups().enabled() ? context.coordination().readGroups() : List.of();
    return new Opened(opened, epoch, ActiveMaster.Stored.read(opened), groups);
  }

  /** Makes a fence with a higher epoch, and returns it. Fails if another master leads. */
  private long claimAgain(FencedStorage fenced, long epoch) throws IOException {
    checkLeads();
    fenced.claim(epoch);
    checkLeads();
    return epoch;
  }

  private void checkLeads() throws IOException {
    Optional<ServerName> leader = context.coordination().readActiveMaster();
    if (!leader.equals(Optional.of(self))) {
      throw new IOException(
          "Another master leads: " + leader.map(ServerName::toString).orElse("none yet"));
    }
  }

  /** Starts the coprocessors, if the site names any, and then leads. */
  private void startHooks(Opened stores) {
    if (!context.hooks().isUsed()) {
      lead(stores);
      return;
    }
    loop.perform(
        Lane.HOOKS,
        () -> {
          MasterHooks opened = context.hooks().open(new HookView(this));
          if (!begin(opened)) {
            opened.close();
            throw new IOException("The master is stopping");
          }
          opened.beforeInitialization();
        },
        Completion.of(() -> lead(stores), this::cannotLead));
  }

  /** Returns false if this master has ended; then the caller closes the hooks. */
  private boolean begin(MasterHooks opened) {
    synchronized (hooksLock) {
      if (!hooksEnded) {
        hooks = opened;
      }
      return !hooksEnded;
    }
  }

  private void endHooks() {
    synchronized (hooksLock) {
      hooksEnded = true;
    }
    hooks.close();
  }

  private void hearOfInitialization() {
    if (context.hooks().isUsed()) {
      loop.perform(Lane.HOOKS, hooks::afterInitialization, Completion.UNHEARD);
    }
    initialized.complete(null);
  }

  private void lead(Opened opened) {
    try {
      ActiveMaster leader =
          new ActiveMaster(
              self,
              loop,
              context,
              opened.store(),
              opened.stored(),
              opened.groups(),
              opened.epoch(),
              hooks,
              () -> answering.complete(null),
              this::hearOfInitialization);
      active = Optional.of(leader);
      leading.complete(null);
      leader.start(context.coordination().state());
    } catch (IOException e) {
      context.lifecycle().abort("The master's store cannot be used: " + e.getMessage(), e);
    }
  }
}
