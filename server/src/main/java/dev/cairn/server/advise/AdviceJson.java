package dev.cairn.server.advise;

import dev.cairn.server.advise.Advice.Verdict;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** Writes advice as JSON. Stateless. */
public final class AdviceJson {
  private AdviceJson() {}

  /** Returns one object; its {@code verdict} is the {@link Verdict#id()}. */
  public static JsonObject of(Advice advice) {
    JsonObject json = new JsonObject();
    json.addProperty("table", advice.table());
    json.addProperty("verdict", advice.verdict().id());
    json.addProperty("sampledCalls", advice.calls());
    json.addProperty("seconds", advice.seconds());
    JsonArray findings = new JsonArray();
    advice.findings().forEach(one -> findings.add(finding(one)));
    json.add("findings", findings);
    JsonArray gaps = new JsonArray();
    advice.gaps().forEach(gaps::add);
    json.add("notJudged", gaps);
    return json;
  }

  private static JsonObject finding(Finding finding) {
    JsonObject json = new JsonObject();
    json.addProperty("rule", finding.rule().id());
    json.addProperty("title", finding.rule().title());
    json.addProperty("sentence", finding.sentence());
    JsonArray evidence = new JsonArray();
    for (Evidence one : finding.evidence()) {
      JsonObject number = new JsonObject();
      number.addProperty("what", one.what());
      number.addProperty("unit", unit(one.unit()));
      number.addProperty("value", rounded(one.value()));
      evidence.add(number);
    }
    json.add("evidence", evidence);
    JsonArray proposals = new JsonArray();
    finding.proposals().forEach(one -> proposals.add(proposal(one)));
    json.add("proposals", proposals);
    return json;
  }

  private static JsonObject proposal(Proposal proposal) {
    JsonObject json = new JsonObject();
    json.addProperty("sentence", proposal.sentence());
    JsonArray commands = new JsonArray();
    proposal.commands().forEach(commands::add);
    json.add("commands", commands);
    JsonObject effect = new JsonObject();
    effect.addProperty("measure", proposal.effect().measure());
    effect.addProperty("unit", unit(proposal.effect().unit()));
    effect.addProperty("before", rounded(proposal.effect().before()));
    effect.addProperty("after", rounded(proposal.effect().after()));
    json.add("effect", effect);
    return json;
  }

  private static String unit(Effect.Unit unit) {
    return unit.name().toLowerCase(java.util.Locale.ROOT);
  }

  private static double rounded(double value) {
    return Math.rint(value * 1e4) / 1e4;
  }
}
