import { randomBytes } from "node:crypto";
import { Long, ObjectId } from "mongodb";

export async function reserve(database, sequence, size) {
  for (let attempt = 0; attempt < 4; attempt++) {
    const grant = new ObjectId(randomBytes(12));
    const after = await database.collection("@hilo").findOneAndUpdate(
      { _id: "Raven/HiLo/" + sequence, Max: { $type: ["int", "long"], $gte: 0, $lt: 2 ** 53 - size } },
      { $inc: { Max: Long.fromNumber(size) }, $push: { Grants: { $each: [grant], $position: 0, $slice: 2 } } },
      { returnDocument: "after", projection: { Max: 1, Grants: 1 }, writeConcern: { w: "majority", j: true } });
    if (after === null) throw new Error("No counter for " + sequence);
    if (grant.equals(after.Grants?.[0])) return { first: after.Max - size + 1, last: after.Max };
  }
  throw new Error("No range for " + sequence);
}
