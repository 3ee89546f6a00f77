function reserve(sequence, size) {
  for (let attempt = 0; attempt < 4; attempt++) {
    const grant = new ObjectId(require("crypto").randomBytes(12).toString("hex"));
    const after = db.getCollection("@hilo").findOneAndUpdate(
      { _id: "Raven/HiLo/" + sequence, Max: { $type: ["int", "long"], $gte: 0, $lt: 2 ** 53 - size } },
      { $inc: { Max: NumberLong(String(size)) }, $push: { Grants: { $each: [grant], $position: 0, $slice: 2 } } },
      { returnDocument: "after", projection: { Max: 1, Grants: 1 }, writeConcern: { w: "majority", j: true } });
    if (after === null) throw new Error("No counter for " + sequence);
    if (grant.equals(after.Grants?.[0])) return { first: Number(after.Max) - size + 1, last: Number(after.Max) };
  }
  throw new Error("No range for " + sequence);
}
