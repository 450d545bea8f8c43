package dev.cairn.server.coordination;

import dev.cairn.server.catalog.ServerName;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this session's master the active one, at once or when the masters before it have gone: the
 * session that creates the master's znode leads, the others are backup masters. Thread-safe.
 */
final class MasterElection {
  private static final Logger LOG = LoggerFactory.getLogger(MasterElection.class);

  private final ZnodeAccess access;
  private final Znodes znodes;
  private volatile Optional<Candidate> candidate = Optional.empty();

  private record Candidate(ServerName self, int infoPort) {
    byte[] data() {
      return ZnodeMessages.master(self, infoPort);
    }
  }

  MasterElection(ZnodeAccess access, Znodes znodes) {
    this.access = access;
    this.znodes = znodes;
  }

  /**
   * Enters a master; waits for the network. The master before it may go before that is noted here,
   * so the caller looks at the master's znode afterwards.
   */
  void enter(ServerName self, int infoPort) throws Exception {
    Candidate entry = new Candidate(self, infoPort);
    tryToLead(entry);
    candidate = Optional.of(entry);
  }

  private void tryToLead(Candidate entry) throws Exception {
    for (int attempt = 0; attempt < 2; attempt++) {
      try {
        access.createEphemeral(znodes.master(), entry.data());
        access.delete(znodes.backupMaster(entry.self()));
        return;
      } catch (KeeperException.NodeExistsException e) {
        Optional<ServerName> present =
            access
                .read(znodes.master())
                .flatMap(bytes -> ZnodeMessages.parseMaster(znodes.master(), bytes));
        // This process holds the port, so a master of the same address is dead.
        if (present.isEmpty() || !present.get().sameAddress(entry.self())) {
          break;
        }
        access.delete(znodes.master());
      }
    }
    access.createEphemeral(znodes.backupMaster(entry.self()), entry.data());
  }

  /** There is no active master any more: tries to lead, if a master was entered. Waits not. */
  void vacant() {
    candidate.ifPresent(this::leadInBackground);
  }

  private void leadInBackground(Candidate waiting) {
    access.createInBackground(
        znodes.master(),
        CreateMode.EPHEMERAL,
        waiting.data(),
        () -> access.deleteInBackground(znodes.backupMaster(waiting.self())));
  }

  /** Tells whether this session's master is the active one. */
  boolean leads(ClusterState state) {
    return candidate.isPresent() && state.activeMaster().equals(candidate.map(Candidate::self));
  }

  /** Registers this session's master among the backup masters again, if somebody removed it. */
  void checkBackups(ClusterState state) {
    candidate
        .filter(entry -> state.activeMaster().isPresent() && !leads(state))
        .filter(entry -> !state.backupMasters().contains(entry.self()))
        .ifPresent(
            entry ->
                access.createInBackground(
                    znodes.backupMaster(entry.self()),
                    CreateMode.EPHEMERAL,
                    entry.data(),
                    () -> LOG.warn("The znode of the backup master {} was gone", entry.self())));
  }
}
